import { partsOf } from "../destination/composite.ts";
import { type Destination, type DestinationFault, destinationOf, parseDestination } from "../destination/destination.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { Arrival } from "./arrival.ts";
import { destinationAttribute, headerAttribute, probeAttribute, textOf } from "./attributes.ts";
import { foundExpiredIn } from "./dead-letter.ts";
import { type Envelope, parseEnvelope } from "./envelope.ts";
import { parseHeader } from "./header.ts";
import type { Message, TransportRecord, Verify } from "./message.ts";
import { type Closed, type Delivered, messageOf, open } from "./open.ts";
import { decodeProbe } from "./probe.ts";
import type { SignatureCheck } from "./signature.ts";
import { describeUndecodable } from "./undecodable.ts";

type TopicOf = (topicArn: string) => Destination | undefined;

/** For what this broker's own queues hold: `verify` knows its own keys. */
export interface OwnContext extends SignatureCheck {
  readonly self: BrokerId;
}
/** For one link's inbound queue: `verify` knows the keys of `from`, `topicOf` the topics of `from` that the link may carry. */
export interface InboundContext extends SignatureCheck {
  readonly link: LinkId;
  readonly from: BrokerId;
  readonly topicOf: TopicOf;
}
/** For a queue that a client reads: what the queue stands for, if it is one destination; `topicOf` if it is the end of a topic subscription. */
export interface ConsumedContext extends OwnContext {
  readonly destination?: Destination;
  readonly topicOf?: TopicOf;
}

/** A broker that has a JMS bridge to here: `verify` knows its keys, as far as they are known. */
export interface BridgeOwner {
  readonly broker: BrokerId;
  readonly verify: Verify;
}

/** From a producer. Whatever the body looks like, it is a body. A bridge's broker (`owners`) is believed like our own keys. */
export const decodeIngress = (record: TransportRecord, { self, ...check }: OwnContext, owners: readonly BridgeOwner[] = []): Arrival => {
  const opened = owners.reduce(
    (known, { broker, verify }) => {
      const isOpen = "fault" in known || known.signed;
      return isOpen ? known : open(record, broker, { ...check, verify: validOrNot(verify) });
    },
    open(record, self, check),
  );
  if ("fault" in opened) return arrivalOf(record, opened);
  const named = textOf(record.attributes, destinationAttribute) ?? opened.header.destination ?? foundExpiredIn(record)?.destination;
  const destination = namedIn(named);
  const { [destinationAttribute]: _address, ...attributes } = record.attributes;
  return arrivalOf(record, "fault" in destination ? destination : messageOf({ ...record, attributes }, opened, { destination }));
};

/** From a consumers' queue, for a drain pass: the queue says the destination, even of a message that somebody moved here. */
export const decodeResting = (record: TransportRecord, queue: Destination, { self, ...check }: OwnContext): Arrival => {
  const opened = open(record, self, check);
  return arrivalOf(record, "fault" in opened ? opened : messageOf(record, opened, { destination: queue }));
};

/** From a peer: its probe, a message it signed, or an SNS envelope of one of its topics; nothing else. */
export const decodeInbound = (record: TransportRecord, context: InboundContext): Arrival => {
  const { link, from, topicOf } = context;
  if (record.attributes[probeAttribute] !== undefined) {
    const hello = decodeProbe(record.body, link);
    return "fault" in hello ? arrivalOf(record, hello) : { arrival: "probe", ref: record.ref, hello };
  }
  const opened = open(record, from, context);
  if ("fault" in opened) return arrivalOf(record, opened);
  if (opened.signed) {
    const destination = namedIn(opened.header.destination);
    return arrivalOf(record, "fault" in destination ? destination : messageOf(record, opened, { destination, crossedFrom: from }), link);
  }
  const envelope = parseEnvelope(record.body);
  if (envelope === undefined) return arrivalOf(record, { fault: "neither-signed-nor-envelope", from });
  const destination = topicOf(envelope.TopicArn);
  if (destination === undefined) return arrivalOf(record, { fault: "foreign-topic", topicArn: envelope.TopicArn });
  if (envelope.Type === "SubscriptionConfirmation") {
    return { arrival: "confirmation", ref: record.ref, topicArn: envelope.TopicArn, token: envelope.Token };
  }
  const inside = insideOf(envelope, record);
  const openedInside = open(inside, from, context);
  return arrivalOf(
    record,
    "fault" in openedInside ? openedInside : messageOf(inside, openedInside, { destination, crossedFrom: from }),
    link,
  );
};

/** At a consumer. A key it doesn't know makes a message fresh, not unreadable: nobody gives it back. */
export const decodeConsumed = (record: TransportRecord, { self, destination: known, topicOf, ...strict }: ConsumedContext): Arrival => {
  const check = { ...strict, verify: validOrNot(strict.verify) };
  const envelope = topicOf && record.attributes[headerAttribute] === undefined ? parseEnvelope(record.body) : undefined;
  const topic = envelope && topicOf?.(envelope.TopicArn);
  const delivered = envelope?.Type === "Notification" && topic ? insideOf(envelope, record) : record;
  const opened = open(delivered, self, check);
  if ("fault" in opened) return arrivalOf(record, opened);
  const destination = topic ?? known ?? namedIn(opened.header.destination);
  return arrivalOf(record, "fault" in destination ? destination : messageOf(delivered, opened, { destination }));
};

const validOrNot =
  (verify: Verify): Verify =>
  (...signed) =>
    verify(...signed) === "valid" ? "valid" : "invalid";

const insideOf = (envelope: Extract<Envelope, { Type: "Notification" }>, record: TransportRecord): Delivered => ({
  id: envelope.MessageId,
  sentAt: envelope.Timestamp ?? record.sentAt,
  body: envelope.Message,
  attributes: envelope.MessageAttributes,
  ...(record.group !== undefined && { group: record.group }),
});

/** A composite of nothing (`queue://,`) is a name, as for ActiveMQ, but there is nowhere to send. */
const namedIn = (text: string | undefined): Destination | DestinationFault | { readonly fault: "no-destination" } => {
  if (text === undefined) return { fault: "no-destination" };
  const named = parseDestination(text);
  return "fault" in named || partsOf(named).length > 0 ? named : { fault: "empty-destination", text };
};

const arrivalOf = ({ ref }: TransportRecord, decoded: Message | Closed, link?: LinkId): Arrival => {
  if (!("fault" in decoded)) return { arrival: "message", ref, message: decoded, ...(link !== undefined && { cameBy: link }) };
  if (decoded.fault === "unknown-key") return { arrival: "unknown-key", ref, kid: decoded.kid };
  return { arrival: "undecodable", ref, why: describeUndecodable(decoded) };
};

/** What a copy's header says it is for. */
export const destinationNamed = ({ attributes }: Pick<TransportRecord, "attributes">): Destination | undefined => {
  const header = parseHeader(textOf(attributes, headerAttribute) ?? "");
  return "fault" in header || header.destination === undefined ? undefined : destinationOf(header.destination);
};
