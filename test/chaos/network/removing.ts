import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import type { Fates } from "../fates.ts";
import { ids, type Setting } from "./setting.ts";

const minute = 60_000;
/** As long as a link is looked at until it counts as stopped, and more. */
const untilStopped = 15 * minute;
/** Nothing is made under the name of a destination that went for ten minutes. */
const untilFree = 11 * minute;

/** Takes away what the setting says, in two deployments of all brokers. */
export const removing = (net: SimulatedNetwork, fates: Fates, { removed, cells, configuration }: Setting) => {
  const deploy = async (removal: "marked" | "gone"): Promise<readonly string[]> => {
    const refusals: string[] = [];
    for (const at of ids) refusals.push((await net.redeploy(at, configuration(removal))) ?? "");
    return refusals.filter((refusal) => refusal !== "");
  };
  let begun = false;
  return {
    hasBegun: () => begun,
    begin: async (): Promise<void> => {
      if (!removed) return;
      begun = true;
      fates.struck("removed connector", "deployment", cells);
      if (removed.queue) fates.struck("removed queue", "deployment", removed.queue.name);
      await deploy("marked");
    },
    /** When all is quiet and well; answers why not, if it was refused. */
    finish: async (): Promise<readonly string[]> => {
      if (!removed) return [];
      await net.run(untilStopped);
      const refusals = await deploy("gone");
      await net.run(untilFree);
      return refusals;
    },
  };
};
