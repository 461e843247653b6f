import { median } from "../median.ts";
import type { World } from "../world/network.ts";
import { batch, depthOf, purge, type QueueAt, sendTens } from "../world/queues.ts";
import { until } from "../world/until.ts";
import { startBareChain } from "./bare-loop.ts";

/** How fast messages cross the embedded link, beside the plainest loop that could carry them over as many hops on the same emulators. */
export interface Throughput {
  readonly messages: number;
  readonly rounds: number;
  /** Messages a second, the median of the rounds: ingress of a → dispatch → inbound of b → dispatch → queue of b. */
  readonly linkPerSecond: number;
  /** Likewise: receive ten → send ten → delete ten, once for each of two hops. */
  readonly bareLoopPerSecond: number;
  /** Median of each round's link : bare loop. */
  readonly ratio: number;
  /** Each round's: how far to trust the median on this machine, today. */
  readonly ratios: readonly number[];
}

const rounds = 9;

/** One round of each, turn about, so that a busy machine disturbs both alike. */
export const measureThroughput = async (world: World, messages: number, say: (line: string) => void): Promise<Throughput> => {
  const { a, b } = world;
  const bare = await startBareChain(world);
  const ways = {
    link: () => messagesPerSecond(a.ingress, b.queue("far"), messages),
    bareLoop: () => messagesPerSecond(bare.first, bare.last, messages),
  };
  try {
    await ways.link();
    await ways.bareLoop();
    const seen: { readonly link: number; readonly bareLoop: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      say(`measuring throughput: round ${round} of ${rounds}`);
      seen.push({ bareLoop: await ways.bareLoop(), link: await ways.link() });
    }
    const ratios = seen.map(({ link, bareLoop }) => link / bareLoop);
    return {
      messages,
      rounds,
      linkPerSecond: median(seen.map(({ link }) => link)),
      bareLoopPerSecond: median(seen.map(({ bareLoop }) => bareLoop)),
      ratio: median(ratios),
      ratios,
    };
  } finally {
    await bare.stop();
  }
};

/** From the first send until all are in the last queue. */
const messagesPerSecond = async (first: QueueAt, last: QueueAt, messages: number): Promise<number> => {
  await purge([last]);
  const began = performance.now();
  await sendSideBySide(first, messages);
  await until(async () => (await depthOf(last)) >= messages, `${messages} messages in ${last.url}`, 10);
  return messages / ((performance.now() - began) / 1_000);
};

const producers = 2;

const sendSideBySide = async (first: QueueAt, messages: number): Promise<void> => {
  const share = Math.ceil(messages / batch / producers) * batch;
  const shares = Array.from({ length: producers }, (_, index) => Math.min(share, messages - index * share));
  await Promise.all(shares.map((some) => sendTens(first, some, "queue://far")));
};
