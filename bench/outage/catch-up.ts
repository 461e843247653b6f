import type { World } from "../world/network.ts";
import { depthOf, purge, sendTens } from "../world/queues.ts";
import { until } from "../world/until.ts";
import type { Peer } from "./peer.ts";

/** Messages that were sent while their peer was away. */
export interface CatchUp {
  readonly messages: number;
  /** From the breaker's closing until all have arrived. */
  readonly seconds: number;
}

export const catchUp = async ({ a, b }: World, peer: Peer, messages: number, say: (line: string) => void): Promise<CatchUp> => {
  say(`measuring catching up: ${messages} messages`);
  await peer.caughtUp();
  await purge([b.queue("far")]);
  peer.hang();
  await sendTens(a.ingress, messages, "queue://far");
  await until(async () => (await depthOf(a.ingress)) === 0, "what is sent during the outage rests");
  await peer.answer();
  const closedAt = performance.now();
  await until(async () => (await depthOf(b.queue("far"))) >= messages, "all that rested arrives");
  return { messages, seconds: (performance.now() - closedAt) / 1_000 };
};
