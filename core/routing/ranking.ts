import type { PolicyValues } from "../policy/policy.ts";
import type { Candidate } from "./view.ts";

/** How a destination's policy ranks its candidates. */
export type Ranking = Pick<PolicyValues, "useConsumerPriority" | "strictOrderDispatch">;

const byPriority: Ranking = { useConsumerPriority: true, strictOrderDispatch: false };

/**
 * Names the level a candidate stands on: its priority's, unless priorities are ignored. In strict order each stands on one of its own, so
 * that the first with room gets all (spec QUE-3).
 */
const levelName = ({ priority, id }: Candidate, { useConsumerPriority, strictOrderDispatch }: Ranking = byPriority): string =>
  [...(useConsumerPriority ? [priority] : []), ...(strictOrderDispatch ? [id] : [])].join("|");

/** Candidates level by level: higher priorities before lower ones, equals in the order of their view, consumers here first. */
export const levelsOf = (candidates: readonly Candidate[], ranking: Ranking = byPriority): readonly (readonly Candidate[])[] => {
  const ranked = ranking.useConsumerPriority ? candidates.toSorted((a, b) => b.priority - a.priority) : candidates;
  return [...Map.groupBy(ranked, (candidate) => levelName(candidate, ranking)).values()];
};
