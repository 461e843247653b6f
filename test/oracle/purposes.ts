import { readFileSync } from "node:fs";
import { partsOf } from "../../core/destination/composite.ts";
import { destinationKey, destinationOf } from "../../core/destination/destination.ts";
import { compileFilter, isPattern } from "../../core/destination/filter.ts";
import type { Deviation } from "./compare.ts";
import { consumersOf } from "./features.ts";
import type { RecordedConnector, Scenario } from "./recording.ts";

/** Differences on purpose that a recording can show, by the id of their row in docs/differences.md: which deviations of which scenarios each excuses. */
export const purposes: Readonly<Record<string, (deviation: Deviation, scenario: Scenario) => boolean>> = {
  /** An excluded queue that a wildcard consumer covers: its messages stay free here. */
  "nothing-hangs": ({ dest, about }, scenario) =>
    about !== "order" &&
    scenario.topology.connectors.some((connector) => listed(connector, "excludedDestinations").some((text) => meet(text, dest))) &&
    wildcardsOn(dest, scenario).length > 0,

  "no-order-of-arrival": (deviation, scenario) =>
    isWhichFolded(deviation, scenario) || isWhosePriority(deviation, scenario) || isFewerDoubles(deviation, scenario),

  "parts-by-themselves": ({ dest }, { topology }) =>
    topology.connectors
      .flatMap((connector) => listed(connector, "dynamicallyIncludedDestinations"))
      .some((text) => partsOf(destinationOf(text)).slice(1).map(destinationKey).includes(dest)),

  "exact-shares": ({ about, dest }, scenario) =>
    about !== "order" &&
    about !== "subscriptions" &&
    consumersOf(scenario).some((consumer) => consumer.ack === "idle" && bare(consumer.dest) === dest),
};

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

/** Several consumers are one to a conduit link: which of their paths or names it shows. That there is demand at all, both must say. */
const isWhichFolded = ({ about, dest, others }: Deviation, scenario: Scenario): boolean =>
  about === "subscriptions" &&
  others.some((other) => meet(other, dest)) &&
  consumersOf(scenario).filter((consumer) => meet(bare(consumer.dest), dest)).length > 1;

/** Under conduit the highest priority counts, not the first consumer's. */
const isWhosePriority = ({ about, dest }: Deviation, scenario: Scenario): boolean => {
  const conduit = scenario.topology.connectors.some(({ attributes }) => attributes.conduitSubscriptions !== false);
  const byBroker = Map.groupBy(
    consumersOf(scenario).filter((consumer) => bare(consumer.dest) === dest),
    ({ broker }) => broker,
  );
  const isMixed = [...byBroker.values()].some((its) => new Set(its.map((consumer) => consumer.dest)).size > 1);
  return conduit && isMixed && about !== "order" && about !== "duplicates";
};

/** One topic subscription for a link: doubles that a broker without conduit makes don't happen. */
const isFewerDoubles = ({ about, dest, fewer }: Deviation, { topology }: Scenario): boolean =>
  (about === "received" || about === "duplicates") &&
  fewer === true &&
  dest.startsWith("topic://") &&
  topology.connectors.some(({ attributes }) => attributes.conduitSubscriptions === false);

const wildcardsOn = (dest: string, scenario: Scenario): readonly string[] =>
  consumersOf(scenario)
    .map((consumer) => bare(consumer.dest))
    .filter((text) => isPattern(destinationOf(text)) && meet(text, dest));

const listed = ({ attributes }: RecordedConnector, key: string): readonly string[] =>
  (attributes[key] as readonly string[] | undefined) ?? [];
const bare = (dest: string): string => dest.split("?", 1)[0] ?? dest;
const meet = (one: string, other: string): boolean => covers(one, other) || covers(other, one);
const covers = (pattern: string, text: string): boolean => compileFilter(destinationOf(pattern))(destinationOf(text));
