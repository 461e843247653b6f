import { type Destination, destinationOf } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";
import { headerAttribute, nativeOf, textOf } from "./attributes.ts";
import { decodeBody } from "./body.ts";
import { type Header, jmsFieldsOf, parseHeader } from "./header.ts";
import type { Message, WireMessage } from "./message.ts";
import { decodeProperty } from "./properties.ts";
import { judgeSignature, type SignatureCheck, type SignedHeader } from "./signature.ts";
import type { Undecodable } from "./undecodable.ts";

/** What one transport delivered: an SQS record, or what an SNS envelope holds. */
export interface Delivered extends WireMessage {
  readonly id: string;
  readonly sentAt: number;
  /** MessageGroupId, where it came by a FIFO queue. */
  readonly group?: string;
}

/** A delivery's header, judged. Not signed: there is none, or nobody whose word counts here vouched for it. */
export type Opened = { readonly signed: true; readonly header: SignedHeader } | { readonly signed: false; readonly header: Header };

export type Closed = Undecodable | { readonly fault: "unknown-key"; readonly kid: string };

export const open = ({ body, attributes }: WireMessage, sender: BrokerId, check: SignatureCheck): Opened | Closed => {
  const text = textOf(attributes, headerAttribute);
  if (text === undefined) return { signed: false, header: { v: 1 } };
  const header = parseHeader(text);
  if ("fault" in header) return header;
  const verdict = judgeSignature(header, body, sender, check);
  switch (verdict.signature) {
    case "valid":
      return { signed: true, header: verdict.header };
    case "unknown-key":
      return { fault: "unknown-key", kid: verdict.kid };
    case "none":
      return { signed: false, header };
    default:
      return verdict satisfies never;
  }
};

/** What the door says of a message, whatever its header claims. */
export interface Door {
  readonly destination: Destination;
  /** The broker it just crossed from. */
  readonly crossedFrom?: BrokerId;
}

/** The message in a delivery: JMS fields from any header, hop fields from a signed one, else it is fresh and has the transport's id. */
export const messageOf = (delivered: Delivered, opened: Opened, { destination, crossedFrom }: Door): Message | Undecodable => {
  const { content, properties = {}, native = {} } = opened.header;
  const body = decodeBody(delivered.body, content);
  if (body === undefined) return { fault: "malformed-body", content: `${content}` };
  const hop = hopOf(delivered, opened);
  return {
    timestamp: delivered.sentAt,
    priority: 4,
    deliveryMode: "PERSISTENT",
    ...groupOfPlain(delivered),
    ...jmsFieldsOf(opened.header),
    expiration: expirationOf(delivered, opened),
    ...hop,
    brokerPath: crossedFrom === undefined ? hop.brokerPath : [...hop.brokerPath, crossedFrom],
    destination,
    body,
    properties: mapped(properties, decodeProperty),
    native: { ...nativeOf(delivered.attributes, properties), ...mapped(native, ([type, value]) => ({ type, value })) },
  };
};

/** A plain SDK's message has no header that could name its group. */
const groupOfPlain = ({ group, attributes }: Delivered): Pick<Message, "groupId"> =>
  group !== undefined && attributes[headerAttribute] === undefined ? { groupId: group } : {};

/** A producer's clock may be wrong: what its message has to live counts from when AWS took it. From then on brokers' clocks judge. */
const expirationOf = ({ sentAt }: Delivered, { signed, header: { timestamp, expiration = 0 } }: Opened): number =>
  signed || expiration <= 0 || timestamp === undefined ? expiration : Math.max(1, sentAt + expiration - timestamp);

const hopOf = (delivered: Delivered, { signed, header }: Opened) => {
  if (!signed) return { id: delivered.id, brokerPath: [], copies: 0 };
  const { id, path: brokerPath, copies = 0, originalDestination } = header;
  const original = originalDestination === undefined ? {} : { originalDestination: destinationOf(originalDestination) };
  return { id, brokerPath, copies, ...original };
};

const mapped = <T, R>(entries: Readonly<Record<string, T>>, decode: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, decode(value)]));
