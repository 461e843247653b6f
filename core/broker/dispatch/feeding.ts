import { destinationKey } from "../../destination/destination.ts";
import { policiesIn } from "../../policy/policy.ts";
import { judgeAdmission } from "../../routing/admit.ts";
import { planFeed } from "../../routing/feed.ts";
import type { Plan } from "../../routing/plan.ts";
import type { BrokerItem } from "../records.ts";
import { pace } from "./pacing.ts";
import type { Bound, Planned, PlanPorts } from "./planned.ts";
import { readWaiting } from "./waiting.ts";

/** Plans what own topics feed: each message once for the ends of subscriptions, and once for each link that may get it. */
export const planFed = async (
  ports: PlanPorts,
  bounds: readonly Bound[],
  { slice, breakers = [] }: BrokerItem,
  now: number,
): Promise<readonly Planned[]> => {
  const views = await ports.views.read([...new Set(bounds.map(({ message }) => destinationKey(message.destination)))]);
  const waitingFor = await readWaiting(ports, [...views.values()], breakers);
  const policyOf = policiesIn(slice.destinationPolicies);
  const plansOf = ({ message }: Bound): readonly Plan[] => {
    const { destination } = message;
    const policy = policyOf(destination);
    const refused = judgeAdmission(message, { self: slice.broker, connectors: slice.connectors, policy, now });
    if (refused) return [refused];
    const view = views.get(destinationKey(destination));
    return view
      ? planFeed(message, view, slice.connectors, waitingFor(view))
      : [{ plan: "later", reason: "unknown-destination", destination }];
  };
  const planned = bounds.flatMap((bound) => plansOf(bound).map((plan) => ({ ...bound, plan })));
  return pace(ports, planned, policyOf, now);
};
