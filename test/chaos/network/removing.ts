import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import { cellOf, isTopic } from "../cells.ts";
import type { Fates } from "../fates.ts";
import type { Ledger } from "../ledger.ts";
import { standingIn } from "./quiet.ts";
import { ids, type Setting } from "./setting.ts";

const minute = 60_000;
/** As long as a link is looked at until it counts as stopped, and more. */
const untilStopped = 15 * minute;
/** Nothing is made under the name of a destination that went for ten minutes. */
const untilFree = 11 * minute;

/**
 * Takes away what the setting says, in two deployments of all brokers. Between these a queue's messages may go round those that wait for a
 * link: order is kept among what came before, and among what is sent after; a topic's, and what needn't cross, keep theirs all the time.
 */
export const removing = (
  net: SimulatedNetwork,
  fates: Fates,
  { removed, cells, configuration }: Setting,
  book: Pick<Ledger, "unordered">,
) => {
  const deploy = async (removal: "marked" | "gone"): Promise<readonly string[]> => {
    const refusals: string[] = [];
    for (const at of ids) refusals.push((await net.redeploy(at, configuration(removal))) ?? "");
    return refusals.filter((refusal) => refusal !== "");
  };
  let [begun, over] = [false, false];
  return {
    hasBegun: () => begun,
    keepsOrder: () => begun === over,
    begin: async (): Promise<void> => {
      if (!removed) return;
      begun = true;
      book.unordered(standingIn(net).filter((body) => !isTopic(cellOf(body))));
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
      over = true;
      return refusals;
    },
  };
};
