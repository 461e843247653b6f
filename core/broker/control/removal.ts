import type { NetworkConnector } from "../../config/slice.ts";
import type { LinkRecord } from "../../link/link.ts";
import { decideRemoval } from "../../link/removal.ts";
import type { ControlPorts } from "./judge.ts";
import { topicsSubscribedBy } from "./subscribing.ts";
import { viewLife } from "./views.ts";

/**
 * Owner's side, at each probe of a connector that is being removed: looks what is left of its link. The answer goes into the record, and
 * with the probe to the receiver, who keeps its inbound until then.
 */
export const withRemoval = async (
  { brain, depths, longest }: Pick<ControlPorts, "brain" | "depths" | "longest">,
  { link, removed = false }: NetworkConnector,
  { removal: before, ...record }: LinkRecord,
  now: number,
): Promise<LinkRecord> => {
  if (!removed) return record;
  const [{ all: undelivered }, topics] = await Promise.all([depths.read({ to: "undelivered", link }), topicsSubscribedBy(brain, link)]);
  // A copy whose dispatch died comes again after six times its longest run, and follows the plan it was claimed with: here, once more.
  const quietTime = 7 * longest + viewLife;
  return { ...record, removal: decideRemoval(before, { undelivered, subscriptions: topics.length }, quietTime, now) };
};
