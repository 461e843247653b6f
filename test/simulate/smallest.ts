import { drawHistory } from "./draw/history.ts";
import type { Small } from "./findings.ts";
import type { History } from "./history.ts";
import { judge } from "./run.ts";
import { shrink } from "./shrink.ts";
import { tell } from "./story.ts";

/** The smallest history that still breaks one of the laws that the seed's history breaks. */
export const smallestOf = async (seed: number, law: string): Promise<Small> => {
  const isBroken = async (history: History) => (await judge(history)).some((broken) => broken.law === law);
  const { history } = await shrink(drawHistory(seed), isBroken);
  const broken = await judge(history);
  return { seed, laws: broken.map((one) => one.law), story: tell(history, broken), history };
};
