import { median } from "../median.ts";
import type { World } from "../world/network.ts";
import { batch, depthOf, purge, type QueueAt, sendTens } from "../world/queues.ts";
import { until } from "../world/until.ts";
import { startBareChain } from "./bare-loop.ts";
import { type Way, ways } from "./ways.ts";

/** How fast messages cross, beside the plainest loop that could carry them over as many hops on the same emulators. */
export interface Throughput extends Pick<Way, "way" | "mode" | "hops"> {
  readonly messages: number;
  readonly rounds: number;
  /** Messages a second, the median of the rounds. */
  readonly perSecond: number;
  /** Likewise: receive ten → send ten → delete ten for each hop, with a put and an update a message where the way is audited. */
  readonly bareLoopPerSecond: number;
  /** Median of each round's way : bare loop. */
  readonly ratio: number;
  /** Each round's: how far to trust the median on this machine, today. */
  readonly ratios: readonly number[];
}

const rounds = 9;

export const measureThroughput = async (world: World, messages: number, say: (line: string) => void): Promise<readonly Throughput[]> => {
  const measured: Throughput[] = [];
  for (const way of ways) measured.push(await measureWay(world, way, messages, say));
  return measured;
};

/** One round of each, turn about, so that a busy machine disturbs both alike. */
const measureWay = async (world: World, way: Way, messages: number, say: (line: string) => void): Promise<Throughput> => {
  const { mode, hops, isAudited, destination } = way;
  const bare = await startBareChain(world, { name: `${way.way}-${isAudited ? "audited" : "unaudited"}`, hops, isAudited });
  const ours = () => messagesPerSecond(way.first(world), way.last(world), messages, destination);
  const bareLoop = () => messagesPerSecond(bare.first, bare.last, messages, destination);
  try {
    await ours();
    await bareLoop();
    const seen: { readonly ours: number; readonly bareLoop: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      say(`measuring throughput: ${way.way}, ${mode}: round ${round} of ${rounds}`);
      seen.push({ bareLoop: await bareLoop(), ours: await ours() });
    }
    const ratios = seen.map((one) => one.ours / one.bareLoop);
    return {
      ...{ way: way.way, mode, hops, messages, rounds },
      perSecond: median(seen.map((one) => one.ours)),
      bareLoopPerSecond: median(seen.map((one) => one.bareLoop)),
      ratio: median(ratios),
      ratios,
    };
  } finally {
    await bare.stop();
  }
};

/** From the first send until all are in the last queue. */
const messagesPerSecond = async (first: QueueAt, last: QueueAt, messages: number, destination?: string): Promise<number> => {
  await purge([last]);
  const began = performance.now();
  await sendSideBySide(first, messages, destination);
  await until(async () => (await depthOf(last)) >= messages, `${messages} messages in ${last.url}`, 10);
  return messages / ((performance.now() - began) / 1_000);
};

const producers = 2;

const sendSideBySide = async (first: QueueAt, messages: number, destination?: string): Promise<void> => {
  const share = Math.ceil(messages / batch / producers) * batch;
  const shares = Array.from({ length: producers }, (_, index) => Math.min(share, messages - index * share));
  await Promise.all(shares.map((some) => sendTens(first, some, destination)));
};
