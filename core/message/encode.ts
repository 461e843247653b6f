import { destinationKey } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";
import { destinationAttribute, fromAttribute, headerAttribute, splitNative, textAttribute } from "./attributes.ts";
import { encodeBody } from "./body.ts";
import { wireVersion } from "./header.ts";
import type { Hash, Message, NativeAttributes, Signer, WireMessage } from "./message.ts";
import { encodeProperty } from "./properties.ts";
import { signHeader } from "./signature.ts";
import { legalJson } from "./text.ts";

/** A message that its producer hands in: what JMS lets a client set; everything else is the brokers' to say. */
export type ProducerMessage = Pick<Message, "destination" | "body"> &
  Partial<Omit<Message, "destination" | "body" | "id" | "originalDestination" | "brokerPath" | "copies">>;

/** The broker that vouches for what it sends. */
export interface Sender {
  readonly broker: BrokerId;
  readonly signer: Signer;
  readonly hash: Hash;
}

/** A message that leaves a broker: to a link, a queue, a topic or the dead letters. `brokerPath` is the one on arrival at that broker. */
export const encodeMessage = (message: Message, sender: Sender): WireMessage => {
  const { body, attributes } = encodeSigned(message, sender);
  return { body, attributes: { ...attributes, [fromAttribute]: textAttribute(sender.broker) } };
};

/** A producer's message to the ingress queue: it says where to go by the attribute that any SDK can set. */
export const encodeProducer = (message: ProducerMessage): WireMessage =>
  addressed(message, encodeUnsigned(message, { taken: [destinationAttribute] }));

/** A producer's message straight to a topic (or queue): where it is sent says where it goes. */
export const encodePublish = (message: ProducerMessage): WireMessage => encodeUnsigned(message);

/**
 * What a JMS bridge sends: a producer's message with an id given to it. A broker takes that id for its own if it signed for it
 * (the bridge's `sender`); to everybody else it only tells doubles. An ingress is told the destination by attribute, as by a producer.
 */
export const encodeBridged = (message: Message, to: "ingress" | "place", sender?: Sender): WireMessage => {
  const taken = to === "ingress" ? [destinationAttribute] : [];
  const wire = sender ? encodeSigned(message, sender, taken) : encodeUnsigned(message, { taken, id: message.id });
  return to === "ingress" ? addressed(message, wire) : wire;
};

const addressed = ({ destination }: Pick<Message, "destination">, { body, attributes }: WireMessage): WireMessage => ({
  body,
  attributes: { ...attributes, [destinationAttribute]: textAttribute(destinationKey(destination)) },
});

const encodeSigned = (message: Message, { broker, signer, hash }: Sender, taken: readonly string[] = []): WireMessage => {
  const { body, content } = encodeBody(message.body);
  const { carried, inside } = splitNative(message.native, taken);
  const hop = {
    v: wireVersion,
    id: message.id,
    from: broker,
    path: [...message.brokerPath],
    destination: destinationKey(message.destination),
    originalDestination: message.originalDestination && destinationKey(message.originalDestination),
    content,
  };
  const header = { ...signHeader(hop, body, signer, hash), copies: unless(0, message.copies), ...jmsFields(message, inside) };
  return { body, attributes: { ...carried, [headerAttribute]: textAttribute(legalJson(header)) } };
};

interface Unsigned {
  readonly taken?: readonly string[];
  readonly id?: string;
}

const encodeUnsigned = (message: ProducerMessage, { taken = [], id }: Unsigned = {}): WireMessage => {
  const { body, content } = encodeBody(message.body);
  const { carried, inside } = splitNative(message.native ?? {}, taken);
  const header = { v: wireVersion, id, ...jmsFields(message, inside), content };
  return { body, attributes: { ...carried, [headerAttribute]: textAttribute(legalJson(header)) } };
};

const unless = <T>(standard: T, value: T | undefined): T | undefined => (value === standard ? undefined : value);

const mapped = <T>(entries: Readonly<Record<string, T>>, encode: (value: T) => unknown) => {
  const pairs = Object.entries(entries).map(([name, value]) => [name, encode(value)]);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
};

const jmsFields = (message: ProducerMessage, inside: NativeAttributes) => ({
  timestamp: message.timestamp,
  expiration: unless(0, message.expiration),
  priority: unless(4, message.priority),
  deliveryMode: unless("PERSISTENT", message.deliveryMode),
  correlationId: message.correlationId,
  replyTo: message.replyTo,
  type: message.type,
  groupId: message.groupId,
  groupSequence: message.groupSequence,
  userId: message.userId,
  properties: mapped(message.properties ?? {}, encodeProperty),
  native: mapped(inside, ({ type, value }) => [type, value]),
});
