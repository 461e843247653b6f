import type { NetworkConnector } from "../../config/slice.ts";
import { type Addresses, addressesOf } from "../../destination/addresses.ts";
import { topicBehind } from "../../destination/topic-arn.ts";
import type { BrokerId, LinkId } from "../../ids.ts";
import type { Arrival } from "../../message/arrival.ts";
import { decodeConsumed, decodeInbound, decodeIngress, decodeResting } from "../../message/decode.ts";
import type { Hash, TransportRecord } from "../../message/message.ts";
import type { RestingPlace } from "../../routing/plan.ts";
import type { Identity } from "../identity.ts";
import type { BrokerItem } from "../records.ts";
import { placeKey } from "../resting.ts";

/** The queue a record came by: it decides what a body is. */
export type Door =
  | { readonly door: "ingress" }
  | { readonly door: "inbound"; readonly link: LinkId }
  /** What own topics carry, for those that SNS can't deliver it to. */
  | { readonly door: "feed" }
  | { readonly door: "rest"; readonly place: RestingPlace };

/** Doors that an event source empties. */
export type ArrivalDoor = Exclude<Door, { readonly door: "rest" }>;

/** For logs and dead letters. */
export const doorName = (door: Door): string => {
  if (door.door === "inbound") return `inbound ${door.link}`;
  return door.door === "rest" ? placeKey(door.place) : door.door;
};

/** Decodes the records of a batch. */
export const decoderAt = (door: Door, { self, hash, verifyWith }: Identity, broker: BrokerItem): ((record: TransportRecord) => Arrival) => {
  const own = { self, hash, verify: verifyWith(broker.keys) };
  switch (door.door) {
    case "ingress": {
      const owners = ownersOfBridges(broker).map((one) => ({ broker: one, verify: verifyWith(broker.peerKeys[one] ?? []) }));
      return (record) => decodeIngress(record, own, owners);
    }
    case "inbound": {
      const connector = broker.slice.connectors.find(({ link }) => link === door.link);
      const why = `the configuration has no connector ${door.link} any more`;
      if (!connector) return ({ ref }) => ({ arrival: "undecodable", ref, why });
      const context = inboundContext(connector, { hash, verifyWith }, broker);
      return (record) => decodeInbound(record, context);
    }
    case "feed": {
      const context = { ...own, topicOf: (arn: string) => topicBehind(broker.slice.network, ownAddresses(broker, hash), arn) };
      return (record) => decodeConsumed(record, context);
    }
    case "rest": {
      const { place } = door;
      return (record) => (place.to === "queue" ? decodeResting(record, place.destination, own) : decodeConsumed(record, own));
    }
    default:
      return door satisfies never;
  }
};

/** Whose JMS bridges end here; their keys come with the hellos of a connector of theirs, if they have one to here. */
const ownersOfBridges = ({ slice: { broker, jmsBridges = [] } }: BrokerItem): readonly BrokerId[] => [
  ...new Set(jmsBridges.filter(({ owner, target }) => owner !== broker && target.broker === broker).map(({ owner }) => owner)),
];

const ownAddresses = ({ slice }: BrokerItem, hash: Hash): Addresses => {
  const place = slice.brokers.find(({ id }) => id === slice.broker);
  if (!place) throw new Error(`broker ${slice.broker} isn't among the brokers of network ${slice.network}: deploy its stack again`);
  return addressesOf(slice.network, place, hash);
};

const inboundContext = (
  { link, from }: NetworkConnector,
  { hash, verifyWith }: Pick<Identity, "hash" | "verifyWith">,
  { slice, peerKeys }: BrokerItem,
) => {
  const place = slice.brokers.find(({ id }) => id === from);
  return {
    link,
    from,
    hash,
    verify: verifyWith(peerKeys[from] ?? []),
    topicOf: (arn: string) => place && topicBehind(slice.network, addressesOf(slice.network, place, hash), arn),
  };
};
