import type { NetworkConnector } from "../../config/slice.ts";
import { addressesOf } from "../../destination/addresses.ts";
import { topicBehind } from "../../destination/topic-arn.ts";
import type { LinkId } from "../../ids.ts";
import type { Arrival } from "../../message/arrival.ts";
import { decodeConsumed, decodeInbound, decodeIngress, decodeResting } from "../../message/decode.ts";
import type { TransportRecord } from "../../message/message.ts";
import type { RestingPlace } from "../../routing/plan.ts";
import type { Identity } from "../identity.ts";
import type { BrokerItem } from "../records.ts";
import { placeKey } from "../resting.ts";

/** The queue a record came by: it decides what a body is. */
export type Door =
  | { readonly door: "ingress" }
  | { readonly door: "inbound"; readonly link: LinkId }
  | { readonly door: "rest"; readonly place: RestingPlace };

/** Doors that an event source empties. */
export type ArrivalDoor = Exclude<Door, { readonly door: "rest" }>;

/** For logs and dead letters. */
export const doorName = (door: Door): string =>
  door.door === "ingress" ? "ingress" : door.door === "inbound" ? `inbound ${door.link}` : placeKey(door.place);

export const decodeAt = (door: Door, record: TransportRecord, { self, hash, verifyWith }: Identity, broker: BrokerItem): Arrival => {
  const own = { self, hash, verify: verifyWith(broker.keys) };
  switch (door.door) {
    case "ingress":
      return decodeIngress(record, own);
    case "inbound": {
      const connector = broker.slice.connectors.find(({ link }) => link === door.link);
      if (!connector) return { arrival: "undecodable", ref: record.ref, why: `the configuration has no connector ${door.link} any more` };
      return decodeInbound(record, inboundContext(connector, { hash, verifyWith }, broker));
    }
    case "rest":
      return door.place.to === "queue" ? decodeResting(record, door.place.destination, own) : decodeConsumed(record, own);
    default:
      return door satisfies never;
  }
};

const inboundContext = (
  { link, from }: NetworkConnector,
  { hash, verifyWith }: Pick<Identity, "hash" | "verifyWith">,
  { slice, peerKeys }: BrokerItem,
) => {
  const place = slice.brokers.find(({ id }) => id === from);
  const peer = place && addressesOf(slice.network, place, hash);
  return {
    link,
    from,
    hash,
    verify: verifyWith(peerKeys[from] ?? []),
    topicOf: (arn: string) => peer && topicBehind(slice.network, peer, arn),
  };
};
