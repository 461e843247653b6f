import { destinationKey } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";
import { destinationAttribute, fromAttribute, headerAttribute, textAttribute } from "./attributes.ts";
import { encodeBody } from "./body.ts";
import { wireVersion } from "./header.ts";
import type { Hash, Message, NativeAttributes, Signer, WireMessage } from "./message.ts";
import { outsideOf } from "./outside.ts";
import { encodeProperty } from "./properties.ts";
import { signHops } from "./signature.ts";
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

/**
 * Messages that leave a broker together: to links, queues, topics or the dead letters. `brokerPath` is the one on arrival at that broker.
 */
export const encodeMessages = (messages: readonly Message[], sender: Sender): readonly WireMessage[] =>
  encodeSigned(messages, sender).map(({ body, attributes }) => ({
    body,
    attributes: { ...attributes, [fromAttribute]: textAttribute(sender.broker) },
  }));

/** One that goes alone. */
export const encodeMessage = (message: Message, sender: Sender): WireMessage => encodeMessages([message], sender)[0] as WireMessage;

/** A producer's message to the ingress queue: it says where to go by the attribute that any SDK can set. */
export const encodeProducer = (message: ProducerMessage): WireMessage =>
  addressed(message, encodeUnsigned(message, { taken: [destinationAttribute] }));

/** A producer's message straight to a topic (or queue): where it is sent says where it goes. */
export const encodePublish = (message: ProducerMessage): WireMessage => encodeUnsigned(message);

/**
 * What a JMS bridge sends: producers' messages with ids given to them. A broker takes such an id for its own if it signed for it
 * (the bridge's `sender`); to everybody else it only tells doubles. An ingress is told the destination by attribute, as by a producer.
 */
export const encodeBridged = (messages: readonly Message[], to: "ingress" | "place", sender?: Sender): readonly WireMessage[] => {
  const taken = to === "ingress" ? [destinationAttribute] : [];
  const plain = (message: Message): WireMessage => encodeUnsigned(message, { taken, id: message.id });
  const wires = (sender ? encodeSigned(messages, sender, taken) : messages.map(plain)).values();
  const next = (): WireMessage => wires.next().value as WireMessage;
  return messages.map((message) => (to === "ingress" ? addressed(message, next()) : next()));
};

const addressed = ({ destination }: Pick<Message, "destination">, { body, attributes }: WireMessage): WireMessage => ({
  body,
  attributes: { ...attributes, [destinationAttribute]: textAttribute(destinationKey(destination)) },
});

const encodeSigned = (
  messages: readonly Message[],
  { broker, signer, hash }: Sender,
  taken: readonly string[] = [],
): readonly WireMessage[] => {
  const unsigned = messages.map((message) => {
    const { body, content } = encodeBody(message.body);
    return { message, body, hop: { ...hopOf(message, broker), content } };
  });
  const signed = signHops(unsigned, signer, hash);
  return unsigned.map(({ message, body }, index) => {
    const { carried, inside } = outsideOf(message, taken);
    const header = { ...signed[index], copies: unless(0, message.copies), ...jmsFields(message, inside) };
    return { body, attributes: { ...carried, [headerAttribute]: textAttribute(legalJson(header)) } };
  });
};

const hopOf = (message: Message, broker: BrokerId) => ({
  v: wireVersion,
  id: message.id,
  from: broker,
  path: [...message.brokerPath],
  destination: destinationKey(message.destination),
  originalDestination: message.originalDestination && destinationKey(message.originalDestination),
});

interface Plain {
  readonly taken?: readonly string[];
  readonly id?: string;
}

const encodeUnsigned = (message: ProducerMessage, { taken = [], id }: Plain = {}): WireMessage => {
  const { body, content } = encodeBody(message.body);
  const { carried, inside } = outsideOf(message, taken);
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
  connection: message.connection,
  properties: mapped(message.properties ?? {}, encodeProperty),
  native: mapped(inside, ({ type, value }) => [type, value]),
});
