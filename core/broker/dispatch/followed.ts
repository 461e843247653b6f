import type { NetworkConnector } from "../../config/slice.ts";
import type { Plan, Subscriber } from "../../routing/plan.ts";

/**
 * What becomes of the plan of a claim that is taken over. A message that a link may have goes to it alone; where that link is being
 * removed it waits in its shelter, so that the link counts as draining before anything crosses. Where it is gone nobody can tell any more:
 * the message is planned anew (`own`), but for a topic's, of which others have their copies. Crash window: what died after the link had
 * accepted comes twice then.
 */
export const followed = (stored: Plan, own: Plan, connectors: readonly NetworkConnector[]): Plan => {
  if (stored.plan === "fan-out") {
    const isGone = (target: Subscriber): boolean => target.to === "link" && !connectors.some(({ link }) => link === target.link);
    return { ...stored, targets: stored.targets.filter((target) => !isGone(target)) };
  }
  if (stored.plan !== "hand-over" || stored.target.to !== "link") return stored;
  const { link } = stored.target;
  const connector = connectors.find((one) => one.link === link);
  if (!connector) return own;
  return connector.removed ? { plan: "park", link, destination: stored.destination, reason: "link-removed" } : stored;
};
