import { consumerBehindIngress } from "../../support/behind-ingress.ts";
import type { bridgeWorld } from "../../support/bridging.ts";
import { bodiesIn } from "../cells.ts";
import type { Ledger } from "../ledger.ts";

type BridgeWorld = ReturnType<typeof bridgeWorld>;
type Book = Pick<Ledger, "received" | "audits">;

/** What a bridge's messages go to: a plain queue, a plain topic with two subscribers, or the ingress of a broker. */
export type EndKind = "queue" | "topic" | "ingress";

/** The far end of a bridge, and who reads there. */
export interface End {
  readonly readers: readonly string[];
  /** What has arrived goes on to where it is read. */
  passOn(): Promise<void>;
  note(): void;
}

export const subscribersOf: Readonly<Record<EndKind, { readonly subscribers?: readonly string[] }>> = {
  queue: {},
  topic: { subscribers: ["subscriber-1", "subscriber-2"] },
  ingress: {},
};

export const endOf = async (kind: EndKind, bridge: BridgeWorld, book: Book): Promise<End> =>
  kind === "ingress" ? ingressEnd(bridge, book) : plainEnd(bridge, book, subscribersOf[kind].subscribers ?? ["target"]);

const plainEnd = ({ queues }: BridgeWorld, book: Book, readers: readonly string[]): End => ({
  readers,
  passOn: async () => {},
  note: () => {
    for (const reader of readers) for (const { body } of queues.peek(reader)) for (const one of bodiesIn(body)) book.received(reader, one);
  },
});

/** The bridge's own broker, which drops what comes again. */
const ingressEnd = async (bridge: BridgeWorld, book: Book): Promise<End> => {
  const [reader, handOn] = ["ingress", await consumerBehindIngress(bridge)];
  let received: Awaited<ReturnType<typeof handOn>> = [];
  book.audits(reader);
  return {
    readers: [reader],
    passOn: async () => {
      received = await handOn();
    },
    note: () => {
      for (const message of received) for (const one of bodiesIn(message)) book.received(reader, one);
    },
  };
};
