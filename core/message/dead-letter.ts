import * as z from "zod";
import type { Destination } from "../destination/destination.ts";
import { deadLetterAttribute, fromAttribute, textAttribute, textOf } from "./attributes.ts";
import type { Message, PropertyValue, WireMessage } from "./message.ts";
import { legalJson, parseJson } from "./text.ts";

export interface DeadLetterReason {
  readonly reason: string;
  readonly why?: string | undefined;
  /** Destination or door it came from. */
  readonly destination: string;
  /** The durable subscription that it came from, `clientID:subscriptionName`. */
  readonly subscription?: string | undefined;
}

const mostAttributes = 10;

/** A message given up on by verdict, as a new send: untouched but for one attribute that says why. SQS allows ten: `SpanMQ.from` gives way first. */
export const deadLetterOf = ({ body, attributes }: WireMessage, reason: DeadLetterReason): WireMessage => {
  const { [fromAttribute]: _from, ...others } = attributes;
  const kept = Object.fromEntries(Object.entries(others).slice(0, mostAttributes - 1));
  return { body: body === "" ? "(empty)" : body, attributes: { ...kept, [deadLetterAttribute]: textAttribute(legalJson(reason)) } };
};

/** What a consumer that found a message expired says of it, where it sends it to the ingress: its clock counts. */
export interface FoundExpired {
  readonly destination: string;
  readonly subscription?: string | undefined;
}
const foundExpired = z.object({ reason: z.literal("expired"), destination: z.string(), subscription: z.string().optional() });

export const foundExpiredIn = ({ attributes }: Pick<WireMessage, "attributes">): FoundExpired | undefined => {
  const text = textOf(attributes, deadLetterAttribute);
  return text === undefined ? undefined : foundExpired.safeParse(parseJson(text)).data;
};

/** One that somebody moved back is another try: that it was given up on before doesn't end it, so that it is claimed as a message of its own. */
export const isMovedBack = ({ attributes }: WireMessage): boolean => attributes[deadLetterAttribute] !== undefined;

/** The original's name of the property that says why a message is a dead letter. */
export const failureCause = "dlqDeliveryFailureCause";

/** A message as it stands in a destination for dead letters, with the original's properties. `expiration`: of the dead letter. */
export const asDeadLetter = (message: Message, to: Destination, cause: string, expiration: number): Message => {
  const { destination, deliveryMode, expiration: was, properties } = message;
  const said: Record<string, PropertyValue> = {
    [failureCause]: { type: "string", value: cause },
    originalExpiration: { type: "long", value: String(was) },
    ...(deliveryMode === "NON_PERSISTENT" && { originalDeliveryMode: { type: "string", value: deliveryMode } }),
  };
  return {
    ...message,
    destination: to,
    originalDestination: destination,
    deliveryMode: "PERSISTENT",
    expiration,
    properties: { ...properties, ...said },
  };
};
