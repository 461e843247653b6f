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
 * (Balinski and Young's quota method), and the same on every instance, so that the range a batch takes from the counter is all they share.
 */
export const shareCycle = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const runners = candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((candidate) => ({ candidate, turns: 0 }));
  const total = runners.reduce((sum, { candidate }) => sum + candidate.weight, 0);
  return Array.from({ length: total }, (_, turn) => {
    const due = runners.filter(({ candidate, turns }) => turns * total < (turn + 1) * candidate.weight);
    const next = due.reduce((best, runner) =>
      runner.candidate.weight * (best.turns + 1) > best.candidate.weight * (runner.turns + 1) ? runner : best,
    );
    next.turns += 1;
    return next.candidate;
  });
};

/** Who gets the messages [start, start + n) of a destination: the counter's range on the endless repetition of the cycle. */
export const shareOut = (candidates: readonly Candidate[], start: number, n: number): readonly Candidate[] => {
  const cycle = shareCycle(candidates);
  return Array.from({ length: n }, (_, index) => cycle[(start + index) % cycle.length] as Candidate);
};
