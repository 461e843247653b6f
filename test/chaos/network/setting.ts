import type { NetworkInput } from "../../../core/config/define-network.ts";
import { chain, mesh, networkOf, type Particulars, pair, ring } from "../../support/simulator/topologies.ts";
import { type Cell, isDeclared, isOrdered, isTopic, networkCells, orderedCells } from "../cells.ts";
import { nameOf } from "./ways.ts";

export const ids = ["a", "b", "c"] as const;
export type Id = (typeof ids)[number];
const second = 1_000;

/** What a history begins with, and whether something is taken away in it. */
export interface Setting {
  readonly cells: readonly Cell[];
  readonly canReplay: boolean;
  readonly restores: boolean;
  /** A way that others go round, both directions of it, and a queue that is declared at one broker. */
  readonly removed?: { readonly way: string; readonly queue: { readonly at: Id; readonly name: string } | undefined };
  /** Where FIFO queues are read; `staysThere`: all the time. Order is kept while candidates don't change. */
  readonly home: Id;
  readonly staysThere: boolean;
  /** The network with all it has, with what is removed marked so, or without that. */
  configuration(removal?: "marked" | "gone"): NetworkInput;
}

export interface Draws {
  readonly draw: (row: string) => number;
  readonly pick: <T>(row: string, choices: readonly T[]) => T;
}

/** Of which a third has nothing to cross: it is sent to where it is read. */
const quietCells = orderedCells.filter((cell) => cell.startsWith("fifo-direct."));

export const drawSetting = ({ draw, pick }: Draws): Setting => {
  const inOrder = draw("in order") < 0.6 ? [pick("ordered cell", [...orderedCells, ...quietCells])] : [];
  const cells = [...new Set([pick("cell", networkCells), pick("cell", networkCells), pick("cell", networkCells)]), ...inOrder];
  const ways = pick("ways", [`${pair}, b <-> c`, chain(3), ring(3), mesh(3)]).split(", ");
  const canReplay = draw("replay") < 0.5;
  const replay = canReplay ? { replayWhenNoConsumers: true, replayDelay: 5 * second } : {};
  const destinationPolicies = [
    { destination: "queue://*.audited.>", ...replay },
    { destination: "queue://*.unaudited.>", enableAudit: false, ...replay },
    { destination: "topic://*.unaudited.>", enableAudit: false },
  ];
  const queues = cells.filter(isDeclared).map(nameOf);
  const topics = inOrder.filter(isTopic).map(nameOf);
  const connector = { networkTTL: 3, conduitSubscriptions: draw("conduit") < 0.5 };
  const restores = draw("restore") < 0.15;
  // Where a FIFO queue is read at one broker, what has come half the way round must go back when the other half is taken away.
  const isStranding = !canReplay && inOrder.some((cell) => !isTopic(cell));
  const removes = !restores && ways.length > 2 && !isStranding && draw("removal") < 0.4;
  const removable = cells.filter((cell) => isDeclared(cell) && !isOrdered(cell)).map(nameOf);
  const removed = {
    way: pick("removed way", ways),
    queue:
      removable.length > 0 && draw("removed queue") < 0.7
        ? { at: pick("removed at", ids), name: pick("removed name", removable) }
        : undefined,
  };
  const configuration = (removal?: "marked" | "gone"): NetworkInput => {
    const brokerAt = (at: Id) => {
      const isRemoved = (name: string): boolean => removal !== undefined && removed.queue?.at === at && removed.queue.name === name;
      const kept = removal === "gone" ? queues.filter((name) => !isRemoved(name)) : queues;
      return { destinationPolicies, topics, queues: kept.map((name) => (isRemoved(name) ? { name, removed: true } : name)) };
    };
    const brokers: NonNullable<Particulars["brokers"]> = Object.fromEntries(ids.map((at) => [at, brokerAt(at)]));
    const ends = removed.way.split(" <-> ");
    const marked = Object.fromEntries([ends, ends.toReversed()].map((direction) => [direction.join(" "), { removed: true }]));
    const left = removal === "gone" ? ways.filter((way) => way !== removed.way) : ways;
    return networkOf(left.join(), connector, { brokers, ...(removal === "marked" && { connectors: marked }) });
  };
  return {
    cells,
    canReplay,
    restores,
    ...(removes && { removed }),
    home: pick("home", ids),
    staysThere: canReplay || ways.length > 2,
    configuration,
  };
};
