import { createHash } from "node:crypto";
import type { BrokerPlace, BrokerSlice, NetworkConnector } from "../core/config/slice.ts";
import { type Addresses, addressesOf } from "../core/destination/addresses.ts";
import { inOrder } from "./slice-order.ts";

type BrokerId = BrokerPlace["id"];

/** A broker and those it has connectors with: names of everything, computed, so that no stack waits for another. */
export interface Neighbourhood {
  readonly slice: BrokerSlice;
  readonly own: Addresses;
  /** Brokers with a connector to or from this one, each once. */
  readonly peers: readonly Addresses[];
  /** Connectors this broker owns: it keeps their undelivered. */
  readonly outgoing: readonly NetworkConnector[];
  /** Connectors that point here: this broker keeps their inbound. */
  readonly incoming: readonly NetworkConnector[];
  of(broker: BrokerId): Addresses;
}

export const neighbourhoodOf = (configured: BrokerSlice): Neighbourhood => {
  const slice = inOrder(configured);
  const { broker, connectors } = slice;
  const of = (id: BrokerId): Addresses => {
    const place = slice.brokers.find((candidate) => candidate.id === id);
    if (!place)
      throw new Error(`connector or JMS bridge to ${id} of network ${slice.network}: there is no broker ${id}; add it to "brokers"`);
    return addressesOf(slice.network, place, sha256);
  };
  const outgoing = connectors.filter(({ from }) => from === broker);
  const incoming = connectors.filter(({ to }) => to === broker);
  const peerIds = new Set([...outgoing.map(({ to }) => to), ...incoming.map(({ from }) => from)]);
  return { slice, own: of(broker), peers: [...peerIds].sort().map(of), outgoing, incoming, of };
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
