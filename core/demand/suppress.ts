import type { NetworkConnector } from "../config/slice.ts";
import type { DestinationKind } from "../destination/destination.ts";
import type { LinkId } from "../ids.ts";
import type { DemandGroup } from "./demand.ts";
import { covers } from "./selectors.ts";

/** Demand that one of our links has for a destination, with the priority its subscription gets here. */
export interface LinkDemand {
  readonly connector: NetworkConnector;
  readonly group: DemandGroup;
  /** Its peer isn't heard: SNS may hold copies for it, which would go with its subscription. Those of a stopped link are in its shelter. */
  readonly isSilent?: true;
}

/**
 * Two routes to the same consumers are one too many. One link wins them, whatever order they came in: rather one that doesn't wait, then the
 * shorter path, then the higher priority, then the link's name. (Spec SUP-3 asks for priority first, and lets the first route win
 * among equals. Where each of two brokers ranks the way over the other above its own, demand would never come to rest.)
 * The others give way if their connector asks for suppression of this kind, unless their peer isn't heard, and only in what the winner
 * brings: it may know fewer of a topic's consumers.
 */
export const suppressDuplicates = (demands: readonly LinkDemand[], kind: DestinationKind): LinkDemand[] => {
  const winners = new Map<string, LinkId>();
  for (const { connector, group } of demands.toSorted(byRank)) {
    const consumers = consumersOf(group, kind);
    if (!winners.has(consumers)) winners.set(consumers, connector.link);
  }
  const isWinner = ({ connector, group }: LinkDemand): boolean => winners.get(consumersOf(group, kind)) === connector.link;
  const winning = Map.groupBy(demands.filter(isWinner), ({ group }) => consumersOf(group, kind));
  const isBrought = ({ group }: LinkDemand): boolean => {
    const brought = (winning.get(consumersOf(group, kind)) ?? []).map((one) => one.group);
    return brought.some((one) => one.group === group.group) || covers(brought, group);
  };
  const stays = (demand: LinkDemand): boolean => isWinner(demand) || !isBrought(demand);
  return demands.filter((demand) => demand.isSilent || !suppresses(demand.connector, kind) || stays(demand));
};

/** A topic crosses once for all of an origin's consumers; of a queue, those of each group share for themselves. */
const consumersOf = ({ origin, group }: DemandGroup, kind: DestinationKind): string => (kind === "topic" ? origin : `${origin}|${group}`);

const suppresses = (connector: NetworkConnector, kind: DestinationKind): boolean =>
  kind === "topic" ? connector.suppressDuplicateTopicSubscriptions : connector.suppressDuplicateQueueSubscriptions;

const byRank = (a: LinkDemand, b: LinkDemand): number =>
  Number(waits(a.group)) - Number(waits(b.group)) ||
  a.group.path.length - b.group.path.length ||
  b.group.priority - a.group.priority ||
  (a.connector.link < b.connector.link ? -1 : 1);

const waits = ({ durable }: DemandGroup): boolean => durable?.waits ?? false;
