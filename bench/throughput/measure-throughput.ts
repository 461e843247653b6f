import { median } from "../median.ts";
import type { World } from "../world/network.ts";
import { batch, depthOf, purge, type QueueAt, sendTens } from "../world/queues.ts";
import { until } from "../world/until.ts";
import { makeBareChain, receiveTen } from "./bare-loop.ts";
import { type Way, ways } from "./ways.ts";

/** How fast messages cross, beside the plainest loop that could carry them, run once for each hop, on the same emulators. */
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
  /** Median of each round's CPU time, bare loop : way. The emulators' is part of both; who else uses the machine disturbs it little. */
  readonly cpuRatio: number;
}

const rounds = 9;
/** Before them, of each: V8 goes on compiling for some ten thousand messages, which an instance of a function that lives has behind it. */
const warmUps = 10;

export const measureThroughput = async (world: World, messages: number, say: (line: string) => void): Promise<readonly Throughput[]> => {
  const measured: Throughput[] = [];
  for (const way of ways) measured.push(await measureWay(world, way, messages, say));
  return measured;
};

/** One round of each, turn about, so that a busy machine disturbs both alike. */
const measureWay = async (world: World, way: Way, messages: number, say: (line: string) => void): Promise<Throughput> => {
  const { mode, hops, isAudited, destination } = way;
  const [first, last] = [way.first(world), way.last(world)];
  const crossing = (from: QueueAt, to: QueueAt) => [
    sendSideBySide(from, messages, destination),
    until(async () => (await depthOf(to)) >= messages, `${messages} messages in ${to.url}`),
  ];
  const ours = () => timed(last, () => Promise.all(crossing(first, last)));
  for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await ours();
  const [{ MessageAttributes: attributes } = {}] = await receiveTen(last);
  const chain = await makeBareChain(world, { name: `${way.way}-${isAudited ? "audited" : "unaudited"}`, hops, attributes, isAudited });
  const bareLoop = () => timed(chain.last, () => Promise.all([...crossing(chain.first, chain.last), chain.move(messages)]));
  for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await bareLoop();

  const seen: { readonly ours: Time; readonly bareLoop: Time }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`measuring throughput: ${way.way}, ${mode}: round ${round} of ${rounds}`);
    seen.push({ bareLoop: await bareLoop(), ours: await ours() });
  }
  const ratios = seen.map((one) => one.bareLoop.seconds / one.ours.seconds);
  return {
    ...{ way: way.way, mode, hops, messages, rounds },
    perSecond: messages / median(seen.map((one) => one.ours.seconds)),
    bareLoopPerSecond: messages / median(seen.map((one) => one.bareLoop.seconds)),
    ratio: median(ratios),
    ratios,
    cpuRatio: median(seen.map((one) => one.bareLoop.cpu / one.ours.cpu)),
  };
};

interface Time {
  readonly seconds: number;
  /** Microseconds of this process, in which all of it runs. */
  readonly cpu: number;
}

const timed = async (last: QueueAt, run: () => Promise<unknown>): Promise<Time> => {
  await purge([last]);
  const [began, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - began) / 1_000, cpu: user + system };
};

const producers = 2;

const sendSideBySide = async (first: QueueAt, messages: number, destination?: string): Promise<void> => {
  const share = Math.ceil(messages / batch / producers) * batch;
  const shares = Array.from({ length: producers }, (_, index) => Math.min(share, messages - index * share));
  await Promise.all(shares.map((some) => sendTens(first, some, destination)));
};
