import { setTimeout as pause } from "node:timers/promises";
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { median } from "../median.ts";
import type { World } from "../world/network.ts";
import { addressedTo, type QueueAt, sendTens } from "../world/queues.ts";
import type { Peer } from "./peer.ts";

/** How long messages to a local queue take while others are sent to a peer by the same ingress. */
export interface HealthyQueue {
  /** Of each round and condition. */
  readonly messages: number;
  readonly rounds: number;
  /** Milliseconds from the send until a consumer has it; p50, the median of the rounds. The peer takes what it is sent. */
  readonly undisturbedMs: number;
  /** The peer takes the connection and never answers. */
  readonly hangingMs: number;
  /** Median of each round's hanging : undisturbed. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

const rounds = 3;
/** So slow that the machine isn't busy: what is measured is waiting. The three seconds until the breaker opens are part of it. */
const everyMs = 50;
/** One batch for the peer for so many of them. */
const batchForPeerEvery = 10;

/** A round of each, turn about, so that a busy machine disturbs both alike. */
export const watchHealthyQueue = async (world: World, peer: Peer, messages: number, say: (line: string) => void): Promise<HealthyQueue> => {
  const seen: { readonly undisturbed: number; readonly hanging: number }[] = [];
  await p50(world, messages);
  for (let round = 1; round <= rounds; round += 1) {
    say(`measuring a healthy queue beside a hanging peer: round ${round} of ${rounds}`);
    const undisturbed = await p50(world, messages);
    peer.hang();
    const hanging = await p50(world, messages);
    await peer.answer();
    await peer.caughtUp();
    seen.push({ undisturbed, hanging });
  }
  const ratios = seen.map(({ undisturbed, hanging }) => hanging / undisturbed);
  return {
    messages,
    rounds,
    undisturbedMs: median(seen.map(({ undisturbed }) => undisturbed)),
    hangingMs: median(seen.map(({ hanging }) => hanging)),
    ratio: median(ratios),
    ratios,
  };
};

/** Sends at a steady pace to a local queue and to the peer, and consumes the local ones. */
const p50 = async ({ a }: World, messages: number): Promise<number> => {
  const consumed = latenciesAt(a.queue("near"), messages);
  const sends: Promise<unknown>[] = [];
  for (let sent = 0; sent < messages; sent += 1) {
    sends.push(a.ingress.sqs.send(stamped(a.ingress)));
    if (sent % batchForPeerEvery === 0) sends.push(sendTens(a.ingress, 10, "queue://far"));
    await pause(everyMs);
  }
  await Promise.all(sends);
  return median(await consumed);
};

const stamped = ({ url }: QueueAt) =>
  new SendMessageCommand({ QueueUrl: url, MessageBody: String(performance.now()), ...addressedTo("queue://near") });

const latenciesAt = async ({ sqs, url }: QueueAt, expected: number): Promise<readonly number[]> => {
  const latencies: number[] = [];
  while (latencies.length < expected) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }));
    const now = performance.now();
    latencies.push(...Messages.map(({ Body }) => now - Number(Body)));
    const entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
    if (entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }));
  }
  return latencies;
};
