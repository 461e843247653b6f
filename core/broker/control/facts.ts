import type { BrokerSlice, NetworkConnector } from "../../config/slice.ts";
import type { DemandRecord, LearntRecord } from "../../demand/demand.ts";
import { bucketOf } from "../../demand/publish.ts";
import { type Destination, type DestinationKey, destinationOf } from "../../destination/destination.ts";
import { compileFilter, isPattern } from "../../destination/filter.ts";
import { isAway, isClosed, isStopped } from "../../link/link.ts";
import type { Hash } from "../../message/message.ts";
import type { Brain, Stored } from "../../ports.ts";
import { declaredPresence, discoveredPresence } from "../../presence/consumers.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import type { DestinationView } from "../../routing/view.ts";
import { Contended } from "../contended.ts";
import type { BrokerItem, DestinationRecord, DiscoveredRecord, SubscriptionRecord } from "../records.ts";

/** What a peer wants, as learnt over one of our own links. `exact`: under this very key; `byPattern`: under patterns that match it. */
export interface LinkFacts {
  readonly connector: NetworkConnector;
  /** A peer silent for its lease counts for static and durable demand only. */
  readonly away: boolean;
  readonly stopped: boolean;
  /** A peer that is being destroyed counts for no demand, and what leads to it ends at once. */
  readonly closed: boolean;
  readonly started: boolean;
  /** Our clock when the link first ran. */
  readonly ranSince: number | undefined;
  readonly exact: Stored<LearntRecord> | undefined;
  readonly byPattern: readonly LearntRecord[];
}

/** Everything that a destination is judged by, read strongly consistent. */
export interface DestinationFacts {
  readonly destination: Destination;
  readonly key: DestinationKey;
  readonly slice: BrokerSlice;
  readonly exactPresence: readonly PresenceRecord[];
  readonly patternPresence: readonly PresenceRecord[];
  readonly links: readonly LinkFacts[];
  readonly record: DestinationRecord | undefined;
  readonly subscriptions: readonly Stored<SubscriptionRecord>[];
  /** Of a topic: what listing its subscriptions has shown; they may not have been listed yet. */
  readonly discovered: DiscoveredRecord | undefined;
  /** What stands where dispatch and peers read: written anew only by the revision it was judged by. */
  readonly view: Stored<DestinationView> | undefined;
  readonly demand: Stored<DemandRecord> | undefined;
}

/** Presence and learnt demand of patterns are listed together, whatever their key. */
export const patterns = "patterns";
export const presenceScope = (key: DestinationKey): string => (isPattern(destinationOf(key)) ? patterns : key);
export const presenceId = ({ destination, holder }: Pick<PresenceRecord, "destination" | "holder">): string => `${destination}|${holder}`;
export const learntScope = (link: string, key: DestinationKey, hash: Hash): string =>
  `${link}#${isPattern(destinationOf(key)) ? patterns : bucketOf(key, hash)}`;

export const readFacts = async (
  brain: Brain,
  hash: Hash,
  { slice, version }: BrokerItem,
  key: DestinationKey,
  now: number,
): Promise<DestinationFacts> => {
  const destination = destinationOf(key);
  const matches = (pattern: DestinationKey): boolean => pattern !== key && compileFilter(destinationOf(pattern))(destination);
  // First of all what is written anew: whoever changes a fact from now on makes that write fail, or judges after it.
  const [view, demand] = await Promise.all([brain.read("view", "", key), brain.read("demand", bucketOf(key, hash), key)]);
  // What a deployment has replaced isn't judged by any more.
  const broker = await brain.read("broker", "", "broker");
  if (broker && broker.value.version !== version) throw new Contended("broker");
  const states = new Map((await brain.list("link", "")).map(({ id, value }) => [id, value]));
  const linkFacts = async (connector: NetworkConnector): Promise<LinkFacts> => {
    const [exact, byPattern] = await Promise.all([
      brain.read("learnt", learntScope(connector.link, key, hash), key),
      isPattern(destination) ? [] : brain.list("learnt", `${connector.link}#${patterns}`),
    ]);
    const link = states.get(connector.link);
    const matching = byPattern.map(({ value }) => value).filter((learnt) => matches(learnt.destination));
    return {
      connector,
      exact,
      byPattern: matching,
      away: isAway(link, slice.peerLease, now),
      stopped: isStopped(link, connector),
      closed: isClosed(link),
      started: link?.state === "started",
      ranSince: link?.ranSince,
    };
  };
  const [exact, wide, links, record, subscriptions, discovered] = await Promise.all([
    brain.list("presence", presenceScope(key)),
    isPattern(destination) ? [] : brain.list("presence", patterns),
    Promise.all(slice.connectors.filter(({ from }) => from === slice.broker).map(linkFacts)),
    brain.read("destination", "", key),
    destination.kind === "topic" ? brain.list("subscription", key) : [],
    destination.kind === "topic" ? brain.read("discovered", "", key) : undefined,
  ]);
  const declared = declaredPresence(slice.consumers).filter((presence) => presence.destination === key);
  return {
    destination,
    key,
    slice,
    exactPresence: [
      ...declared,
      ...discoveredPresence(key, discovered?.value.found ?? 0, declared),
      ...exact.map(({ value }) => value).filter((presence) => presence.destination === key),
    ],
    patternPresence: wide.map(({ value }) => value).filter((presence) => matches(presence.destination)),
    links,
    record: record?.value,
    subscriptions,
    discovered: discovered?.value,
    view,
    demand,
  };
};
