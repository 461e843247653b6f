import type { Candidate } from "./view.ts";

/** Names the counter of a destination's share among these candidates: another set has another counter. */
export const shareCounter = (destination: string, candidates: readonly Candidate[]): string =>
  `share#${destination}#${candidates
    .map(({ id, weight }) => `${id}*${weight}`)
    .toSorted()
    .join(",")}`;

/**
 * One cycle of smooth weighted round robin over candidates sorted by id: as even as whole messages allow at every point,
 * and the same on every instance, so that the range a batch takes from the counter is all they share.
 */
export const shareCycle = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const runners = candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((candidate) => ({ candidate, lead: 0 }));
  const total = runners.reduce((sum, { candidate }) => sum + candidate.weight, 0);
  return Array.from({ length: total }, () => {
    for (const runner of runners) runner.lead += runner.candidate.weight;
    const next = runners.reduce((best, runner) => (runner.lead > best.lead ? runner : best));
    next.lead -= total;
    return next.candidate;
  });
};

/** Who gets the messages [start, start + n) of a destination: the counter's range on the endless repetition of the cycle. */
export const shareOut = (candidates: readonly Candidate[], start: number, n: number): readonly Candidate[] => {
  const cycle = shareCycle(candidates);
  return Array.from({ length: n }, (_, index) => cycle[(start + index) % cycle.length] as Candidate);
};
