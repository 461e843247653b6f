import type { Hash } from "../message/message.ts";
import type { Candidate } from "./view.ts";

/** Names the counter of a destination's share among these candidates, whose number has no limit: another set has another counter. */
export const shareCounter = (destination: string, candidates: readonly Candidate[], hash: Hash): string =>
  `share#${hash(
    `${destination}#${candidates
      .map(({ id, weight }) => `${id}*${weight}`)
      .toSorted()
      .join(",")}`,
  )}`;

/**
 * One cycle of turns by weight over candidates sorted by id: after each turn everybody is less than one message from its fair share
 * (Tijdeman's chairman assignment), and the same on every instance, so that the range a batch takes from the counter is all they share.
 */
export const shareCycle = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  const slack = Math.max(1, 2 * candidates.length - 2);
  const runners = candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((candidate) => ({ candidate, turns: 0 }));
  return Array.from({ length: total }, (_, turn) => {
    const ranked = runners.map((runner) => {
      const { weight } = runner.candidate;
      const owed = (turn + 1) * weight - runner.turns * total;
      return { runner, isDue: slack * owed >= total, mayWait: ((slack - 1) * total - slack * owed) / weight };
    });
    const { runner } = ranked.filter(({ isDue }) => isDue).reduce((first, other) => (other.mayWait < first.mayWait ? other : first));
    runner.turns += 1;
    return runner.candidate;
  });
};

/** Who gets the messages [start, start + n) of a destination: the counter's range on the endless repetition of the cycle. */
export const shareOut = (candidates: readonly Candidate[], start: number, n: number): readonly Candidate[] => {
  const cycle = shareCycle(candidates);
  return Array.from({ length: n }, (_, index) => cycle[(start + index) % cycle.length] as Candidate);
};
