import type { BrokerSlice } from "../../config/slice.ts";
import type { Brain, Events } from "../../ports.ts";
import { changeBroker } from "../broker-item.ts";
import type { BrokerItem } from "../records.ts";

export interface ClosingPorts {
  readonly brain: Brain;
  readonly events: Events;
  readonly clock: () => number;
}

/**
 * From now on control makes nothing, and the peers' links to this broker stop. A peer that isn't there any more, or doesn't take the
 * event, holds nobody up. The counter is read after the write: whoever of us says hello with a higher one has seen that the broker works again.
 */
export const close = async ({ brain, events, clock }: ClosingPorts, { broker, connectors }: BrokerSlice): Promise<void> => {
  await changeBroker(brain, (stored) => stored && { ...stored, closing: stored.closing ?? clock() });
  const peers = connectors.filter(({ from, to }) => [from, to].includes(broker)).map(({ from, to }) => (from === broker ? to : from));
  const counter = clock();
  await events.send([...new Set(peers)].map((to) => ({ to, event: { event: "closing", from: broker, counter } })));
};

/** The broker works on: as after a deployment its peers are greeted, and everything known is judged. */
export const reopen = async ({ brain, events, clock }: ClosingPorts, { broker }: BrokerSlice): Promise<void> => {
  await changeBroker(brain, (stored) => stored && opened(stored));
  await events.send([{ to: broker, event: { event: "deployed", version: clock() } }]);
};

const opened = ({ closing: _, ...item }: BrokerItem): BrokerItem => item;
