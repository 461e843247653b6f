import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { encodeBridged } from "../../../core/message/encode.ts";
import type { bridgeWorld } from "../../support/bridging.ts";
import { sha256 } from "../../support/hash.ts";
import { simulate } from "../../support/simulator/network.ts";
import { simulatedKey } from "../../support/simulator/signing.ts";
import { networkOf } from "../../support/simulator/topologies.ts";
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

/** The bridge's broker, whose key signs the ids that the bridge gives. */
const ingressEnd = async ({ queues, ports }: BridgeWorld, book: Book): Promise<End> => {
  const [net, key, reader] = [await simulate(networkOf("a -> b")), simulatedKey("bridge"), "ingress"];
  const { brain, where } = net.broker("a");
  const stored = await brain.read("broker", "", "broker");
  if (!stored) throw new Error("broker a has no item");
  await brain.write("broker", "", "broker", { ...stored.value, keys: [...stored.value.keys, key.publicKey] }, stored.revision);
  const client = net.connect("a");
  await client.consume("queue://target");
  await net.run();
  book.audits(reader);
  const [sender, destination] = [{ broker: brokerId("a"), signer: key.signer, hash: sha256 }, destinationOf("queue://target")];
  const encode: typeof ports.encode = (messages) =>
    encodeBridged(
      messages.map((message) => ({ ...message, destination })),
      "ingress",
      sender,
    );
  Object.assign(ports, { encode });
  return {
    readers: [reader],
    passOn: async () => {
      for (const copy of queues.receive("target", 1_000, 0) ?? []) {
        net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), copy);
        queues.remove("target", copy.receipt);
      }
      await net.run();
    },
    note: () => {
      for (const { message } of client.received) for (const one of bodiesIn(message)) book.received(reader, one);
    },
  };
};
