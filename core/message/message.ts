import type { Destination } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";

/** A JMS property with its type. A `long` is decimal text, exact beyond 2^53; a `null` has no value. */
export type PropertyValue =
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "byte" | "short" | "int" | "float" | "double"; readonly value: number }
  | { readonly type: "long" | "string"; readonly value: string }
  | { readonly type: "null" };

/** A message attribute as SNS and SQS know it. `Binary` values are base64 text. */
export interface NativeAttribute {
  /** `String`, `Number`, `Binary` or `String.Array`, with an optional custom suffix (`Number.float`). */
  readonly type: string;
  readonly value: string;
}
export type NativeAttributes = Readonly<Record<string, NativeAttribute>>;

export type Body = { readonly type: "text"; readonly text: string } | { readonly type: "bytes"; readonly bytes: Uint8Array };

export type DeliveryMode = "PERSISTENT" | "NON_PERSISTENT";

/** A JMS message as the broker rules see it, whichever way it came. */
export interface Message {
  /** The transport's own id, or the one a broker of the network signed for. Unchanged for the whole journey. */
  readonly id: string;
  readonly destination: Destination;
  /** Set by virtual and composite routing. */
  readonly originalDestination?: Destination;
  readonly body: Body;
  /** Brokers crossed before this one, the origin first. Empty for a local producer's message. */
  readonly brokerPath: readonly BrokerId[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Milliseconds since the epoch; 0 never expires. */
  readonly expiration: number;
  readonly priority: number;
  readonly deliveryMode: DeliveryMode;
  readonly correlationId?: string;
  readonly replyTo?: string;
  readonly type?: string;
  readonly groupId?: string;
  readonly groupSequence?: number;
  readonly userId?: string;
  /** Of a topic's message: the connection that published it, for its own subscribers that don't want it. */
  readonly connection?: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** A plain producer's own message attributes; they stay native on the way (at most 8, the rest inside `SpanMQ`). */
  readonly native: NativeAttributes;
  /** How often the message was sent anew in one place (carry-over), against receive limits. */
  readonly copies: number;
}

/** What SQS and SNS carry. */
export interface WireMessage {
  readonly body: string;
  readonly attributes: NativeAttributes;
}

/** One received SQS record, as the edge hands it in. */
export interface TransportRecord extends WireMessage {
  /** Names the record within its batch; for SQS its MessageId. */
  readonly ref: string;
  /** The transport's MessageId. */
  readonly id: string;
  /** SentTimestamp, milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receiveCount: number;
  /** MessageGroupId, of a FIFO queue's record only: records of one group come in order. */
  readonly group?: string;
}

/** SHA-256 of UTF-8 text, lower-case hex. Passed in, so that the core has no crypto of its own. */
export type Hash = (text: string) => string;
/** Ed25519 over UTF-8 texts. */
export interface Signer {
  readonly kid: string;
  /** One signature for each text, in order, each to be checked alone. Texts that are signed together cost little more than one. */
  sign(texts: readonly string[]): readonly string[];
}
/** `unknown-key` when no key of that id is held; the record is then given back, never judged. */
export type Verify = (kid: string, text: string, signature: string) => "valid" | "invalid" | "unknown-key";
