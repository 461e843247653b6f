import { availableParallelism } from "node:os";
import { type Bundle, measureBundles } from "../scripts/bundles.ts";
import { type CallCounts, countCalls } from "./calls/count-calls.ts";
import { type ControlCalls, countControl } from "./control/count-control.ts";
import { type DoorCpu, measureCpu } from "./cpu/measure-cpu.ts";
import { limits } from "./limits.ts";
import type { Options } from "./options.ts";
import { measureOutage, type Outage } from "./outage/measure-outage.ts";
import { measureNames, measureSelectors, type Rate } from "./rates/measure-rates.ts";
import { measureThroughput, type Throughput } from "./throughput/measure-throughput.ts";
import { startWorld } from "./world/network.ts";

/** What a run found. A part that wasn't asked for is absent. */
export interface Findings {
  readonly machine: { readonly cores: number; readonly node: string; readonly platform: string };
  readonly selectors?: Rate;
  readonly names?: Rate;
  readonly calls?: CallCounts;
  readonly control?: readonly ControlCalls[];
  readonly cpu?: readonly DoorCpu[];
  readonly throughput?: readonly Throughput[];
  readonly outage?: Outage;
  readonly bundles?: readonly Bundle[];
}

export const run = async ({ messages, only }: Options, say: (line: string) => void): Promise<Findings> => ({
  machine: { cores: availableParallelism(), node: process.version, platform: `${process.platform} ${process.arch}` },
  ...(only.includes("selectors") && { selectors: measureSelectors(say) }),
  ...(only.includes("names") && { names: measureNames(say) }),
  ...(only.includes("control") && { control: await countControl([limits.fewDestinations, limits.manyDestinations], say) }),
  ...(only.includes("cpu") && { cpu: await measureCpu(messages, say) }),
  ...(await onTheEmulators({ messages, only }, say)),
  ...(only.includes("outage") && { outage: await measureOutage(messages, say) }),
  ...(only.includes("bundles") && { bundles: await measureBundles("dist/bench") }),
});

const onTheEmulators = async ({ messages, only }: Pick<Options, "messages" | "only">, say: (line: string) => void) => {
  if (!only.includes("calls") && !only.includes("throughput")) return {};
  say("starting two brokers on the emulators");
  const world = await startWorld();
  try {
    const calls = only.includes("calls") && { calls: await countCalls(world, messages, say) };
    world.recorder.stop();
    const throughput = only.includes("throughput") && { throughput: await measureThroughput(world, messages, say) };
    const [failure] = world.network.failures();
    if (failure) throw new Error(`${failure.function} failed during the run, so its figures mean nothing`, { cause: failure.error });
    return { ...calls, ...throughput };
  } finally {
    await world.stop();
  }
};
