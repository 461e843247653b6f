import type { Resources } from "../../ports.ts";
import type { Decision } from "./decide.ts";
import type { DestinationFacts } from "./facts.ts";

/**
 * Makes private queues that aren't routed to yet, until AWS refuses: it takes some calls a second only. What was made is routed to and
 * isn't made again when the event comes again for the rest.
 */
export const makePrivateQueues = async (
  resources: Resources,
  { view }: DestinationFacts,
  { ownQueues }: Decision,
): Promise<{ readonly unmade: readonly string[]; readonly failed: readonly Error[] }> => {
  const known = view?.value.candidates.flatMap((one) => (one.to === "private" ? [one.queue] : [])) ?? [];
  const missing = ownQueues.filter((queue) => !known.includes(queue));
  for (const [index, queue] of missing.entries()) {
    const failed = await resources.make({ make: "own-queue", queue }).then(
      () => undefined,
      (error: Error) => error,
    );
    if (failed) return { unmade: missing.slice(index), failed: [failed] };
  }
  return { unmade: [], failed: [] };
};
