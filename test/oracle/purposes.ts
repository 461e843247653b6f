import { readFileSync } from "node:fs";
import { partsOf } from "../../core/destination/composite.ts";
import { destinationKey, destinationOf, optionsOf } from "../../core/destination/destination.ts";
import { compileFilter, isPattern } from "../../core/destination/filter.ts";
import type { Deviation } from "./compare.ts";
import { consumersOf } from "./features.ts";
import type { RecordedConnector, RecordedConsumer, Scenario } from "./recording.ts";

/**
 * Differences on purpose that a recording can show, by the id of their row in docs/differences.md: which deviations of which scenarios each
 * excuses. None excuses that the messages of all queues together are fewer than recorded, or more but for those that a restart lost there.
 */
export const purposes: Readonly<Record<string, (deviation: Deviation, scenario: Scenario) => boolean>> = {
  "nothing-hangs": (deviation, scenario) =>
    isFree(deviation, scenario) || isInTime(deviation, scenario) || isLeftToItsConsumer(deviation, scenario),

  "no-order-of-arrival": (deviation, scenario) =>
    (deviation.about === "subscriptions" && deviation.isFolded) ||
    isBehindAFold(deviation, scenario) ||
    isWhosePriority(deviation, scenario) ||
    isFewerDoubles(deviation, scenario),

  "parts-by-themselves": ({ dest, about }, { topology }) =>
    (isOfCounts(about) || about === "subscriptions") &&
    topology.connectors
      .flatMap((connector) => listed(connector, "dynamicallyIncludedDestinations"))
      .some((text) => partsOf(destinationOf(text)).slice(1).map(destinationKey).includes(dest)),

  "demand-is-state": (deviation, scenario) => isOfStandingDurables(deviation, scenario) || (isOfMore(deviation) && isForgetful(scenario)),

  "deliveries-of-a-queue": (deviation, scenario) =>
    (isOfDeliveries(deviation) && isHeldElsewhere(deviation, scenario)) || isOfLooks(deviation, scenario),

  "exact-shares": ({ about, dest }, scenario) =>
    isOfCounts(about) &&
    (consumersOf(scenario).some((consumer) => isSoonFull(consumer) && bare(consumer.dest) === dest) || isChosenAmong(dest, scenario)),
};

const isOfDeliveries = (deviation: Deviation): boolean =>
  deviation.about === "message" && ["JMSRedelivered", "JMSXDeliveryCount"].includes(deviation.field) && deviation.fewer;

/** What came back was looked at by a pass, too. */
const isOfLooks = (deviation: Deviation, scenario: Scenario): boolean =>
  deviation.about === "message" &&
  deviation.field === "JMSXDeliveryCount" &&
  !deviation.fewer &&
  consumersOf(scenario).some(({ ack, dest }) => ack === "none" && bare(dest) === bare(deviation.dest));

/** A consumer of it that doesn't acknowledge, at another broker than one that gets it then. */
const isHeldElsewhere = ({ dest }: Deviation, scenario: Scenario): boolean => {
  const its = consumersOf(scenario).filter((consumer) => bare(consumer.dest) === bare(dest));
  return its.some(({ ack, broker }) => ack === "none" && its.some((other) => other.broker !== broker));
};

const isOfCounts = (about: Deviation["about"]): boolean => about === "received" || about === "distinct" || about === "depth";

const isOfMore = (deviation: Deviation): boolean =>
  (deviation.about === "received" || deviation.about === "distinct" || deviation.about === "sum") && !deviation.fewer;

/** Scenarios that can't be played at all: our configuration refuses them, by the row's id. */
export const refusals: Readonly<Record<string, (scenario: Scenario) => boolean>> = {
  "unique-names": ({ topology }) => {
    const names = topology.connectors.flatMap(({ from, to, attributes: { name, duplex } }) => [
      `${from} ${name}`,
      ...(duplex ? [`${to} ${name}`] : []),
    ]);
    return new Set(names).size < names.length;
  },
};

export interface Row {
  readonly id: string;
  readonly source: string;
}

/** The rows of docs/differences.md. */
export const rows = (): readonly Row[] =>
  readFileSync("docs/differences.md", "utf8")
    .split("\n")
    .filter((line) => /^\| [a-z]+(-[a-z]+)* \|/.test(line) && !line.startsWith("| id |"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => ({ id: cells[1] ?? "", source: cells.at(-2) ?? "" }));

/** Of a topic's consumers that a broker folded the original announces one, with its path: others' demand doesn't get further by that broker. */
const isBehindAFold = (deviation: Deviation, { topology }: Scenario): boolean =>
  deviation.about === "subscriptions" &&
  deviation.isFurther &&
  deviation.dest.startsWith("topic://") &&
  topology.connectors.some(({ attributes }) => attributes.suppressDuplicateTopicSubscriptions === false);

/** An excluded queue that a wildcard consumer covers: its messages stay free here. */
const isFree = (deviation: Deviation, scenario: Scenario): boolean =>
  (isOfCounts(deviation.about) || deviation.about === "subscriptions" || isOfDeliveries(deviation)) &&
  excludedUnderWildcard(scenario).some(({ excluded, wildcard }) => deviation.dest === wildcard || covers(excluded, deviation.dest));

/** When a replay's delay or a rate's window is over, time alone moves the message here. */
const isInTime = (deviation: Deviation, { topology }: Scenario): boolean =>
  (deviation.about === "depth" || ((deviation.about === "received" || deviation.about === "distinct") && !deviation.fewer)) &&
  topology.brokers
    .flatMap(({ policies = [] }) => policies)
    .some(({ dest: meant, conditionalNetworkBridgeFilterFactory: { replayDelay = 0, rateLimit = 0 } = {} }) => {
      return (Number(replayDelay) > 0 || Number(rateLimit) > 0) && covers(meant, deviation.dest);
    });

/** What expires in the queue of a consumer that doesn't read is buried when that consumer leaves; there by the next periodic look. */
const isLeftToItsConsumer = (deviation: Deviation, scenario: Scenario): boolean => {
  const isSwept = scenario.topology.brokers.some(({ policies = [] }) => policies.some(({ expireMessagesPeriod }) => expireMessagesPeriod));
  const unread = consumersOf(scenario).filter(({ ack }) => ack === "idle");
  const isWhich = deviation.about === "message" && deviation.field === "body";
  return (
    (deviation.about === "depth" || isWhich) &&
    isSwept &&
    unread.some((consumer) => [bare(consumer.dest), "queue://ActiveMQ.DLQ"].includes(deviation.dest))
  );
};

/** A broker without a store restarts, or one that holds what its producer didn't want kept: here everything is. */
const isForgetful = ({ topology, action }: Scenario): boolean => {
  const restarted = action.flatMap((step) => (step.do === "restartBroker" ? [step.broker] : []));
  const storeless = topology.brokers.some(({ name, persistent = false }) => !persistent && restarted.includes(name));
  return storeless || (restarted.length > 0 && action.some((step) => step.do === "produce" && step.persistent === false));
};

/** Demand of durable subscriptions stands beside plain consumers, over a restart with dynamicOnly, and ends when they are unsubscribed. */
const isOfStandingDurables = (deviation: Deviation, scenario: Scenario): boolean => {
  const its = consumersOf(scenario).filter((consumer) => bare(consumer.dest) === deviation.dest);
  const durables = its.filter(({ kind }) => kind === "durable");
  const isMixed = durables.some(({ broker }) => its.some((other) => other.kind === "topic" && other.broker === broker));
  if (deviation.about === "received" || deviation.about === "distinct") return isMixed && !deviation.fewer;
  if (deviation.about !== "subscriptions" || durables.length === 0) return false;
  const does = (what: string): boolean => scenario.action.some((step) => step.do === what);
  const isDynamicOnly = scenario.topology.connectors.some(({ attributes }) => attributes.dynamicOnly === true);
  return deviation.isMissing ? does("unsubscribe") : isMixed || (isDynamicOnly && does("restartBroker"));
};

/** It keeps what it took, and takes no more than its prefetch. */
const isSoonFull = ({ ack, prefetch }: RecordedConsumer): boolean => ack === "idle" || (ack === "none" && prefetch !== undefined);

/** Some of a queue's consumers refuse what others take: there whoever got it waits for the next that he shares, here each share is even. */
const isChosenAmong = (dest: string, scenario: Scenario): boolean => {
  const its = consumersOf(scenario).filter((consumer) => bare(consumer.dest) === dest);
  return (
    new Set(its.map(({ selector }) => selector ?? "")).size > 1 &&
    scenario.topology.connectors.every(({ attributes }) => attributes.conduitSubscriptions === false)
  );
};

/** Under conduit the highest priority counts, not the first consumer's. */
const isWhosePriority = (deviation: Deviation, scenario: Scenario): boolean => {
  const { about, dest } = deviation;
  const conduit = scenario.topology.connectors.some(({ attributes }) => attributes.conduitSubscriptions !== false);
  const its = consumersOf(scenario).filter((consumer) => bare(consumer.dest) === dest);
  const mixed = [...Map.groupBy(its, ({ broker }) => broker).values()]
    .map((here) => [...new Set(here.map((consumer) => priorityOf(consumer.dest)))])
    .filter(({ length }) => length > 1)
    .flat();
  if (!conduit || mixed.length === 0) return false;
  return isOfCounts(about) || (deviation.about === "subscriptions" && deviation.priorities.every((priority) => mixed.includes(priority)));
};

/** One topic subscription for a link: doubles that a broker without conduit makes don't happen. */
const isFewerDoubles = (deviation: Deviation, { topology }: Scenario): boolean =>
  (deviation.about === "received" || deviation.about === "duplicates") &&
  deviation.fewer &&
  deviation.dest.startsWith("topic://") &&
  topology.connectors.some(({ attributes }) => attributes.conduitSubscriptions === false);

/** Excluded names that some wildcard consumer means as well. */
const excludedUnderWildcard = (scenario: Scenario) =>
  scenario.topology.connectors
    .flatMap((connector) => listed(connector, "excludedDestinations"))
    .flatMap((excluded) =>
      consumersOf(scenario)
        .map((consumer) => bare(consumer.dest))
        .filter((text) => isPattern(destinationOf(text)) && covers(text, excluded))
        .map((wildcard) => ({ excluded, wildcard })),
    );

const listed = ({ attributes }: RecordedConnector, key: string): readonly string[] =>
  (attributes[key] as readonly string[] | undefined) ?? [];
const bare = (dest: string): string => dest.split("?", 1)[0] ?? dest;
const priorityOf = (dest: string): number => Number(optionsOf(dest)["consumer.priority"] ?? 0);
const covers = (pattern: string, text: string): boolean => compileFilter(destinationOf(pattern))(destinationOf(text));
