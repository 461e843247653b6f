import type { HandOver } from "../../../core/ports.ts";
import type { SimulatedNetwork } from "../../support/simulator/network.ts";

/** The broker's dispatch dies as soon as it has handed over a batch with a message like this; so often. Answers how often it has died. */
export const dyingOnce = (net: SimulatedNetwork, at: string, dies: (one: HandOver) => boolean, times = 1): (() => number) => {
  const { targets } = net.broker(at).ports;
  const { handOver } = targets;
  let deaths = 0;
  const handOverAndDie: typeof handOver = async (handOvers) => {
    const answers = await handOver(handOvers);
    if (deaths === times || !handOvers.some(dies)) return answers;
    deaths += 1;
    throw new Error("the invocation died");
  };
  Object.assign(targets, { handOver: handOverAndDie });
  return () => deaths;
};
