import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { ControlOutcome } from "../core/broker/control/control.ts";
import type { Round } from "../core/broker/dispatch/drain.ts";
import type { Outcome } from "../core/broker/dispatch/outcome.ts";
import type { Step } from "../core/broker/dispatch/steps.ts";
import { placeKey } from "../core/broker/resting.ts";
import type { BrokerId } from "../core/ids.ts";

/** Says what became of each record: one line with its reason. A batch is counted in the same words. Bodies are never written. */
export interface Observer {
  dispatched(outcomes: readonly Outcome[]): void;
  controlled(outcomes: readonly ControlOutcome[]): void;
  /** A carry-over warns: nobody has emptied that place for a week. */
  passed(round: Round): void;
}

/** Where lines and counts go: Powertools' logger and metrics in Lambda. */
export interface Sinks {
  log(level: "debug" | "info" | "warn", message: string, fields: Readonly<Record<string, unknown>>): void;
  count(name: string, link: string, n: number): void;
}

export const observer = ({ log, count }: Sinks): Observer => ({
  dispatched: (outcomes) => {
    for (const { messageId, cameBy, steps } of outcomes) {
      for (const step of steps) log(levelOf(step), step.verdict, { messageId, link: cameBy, ...step });
    }
    const counted = outcomes.flatMap(({ cameBy = "none", steps }) => steps.flatMap(countsOf).map((name) => ({ name, link: cameBy })));
    const groups = Map.groupBy(counted, ({ name, link }) => `${name}|${link}`);
    for (const [{ name, link } = { name: "", link: "" }, ...more] of groups.values()) count(name, link, 1 + more.length);
  },
  controlled: (outcomes) => {
    for (const { event, verdict, why, ref } of outcomes) {
      log(verdict === "applied" && why === undefined ? "debug" : "warn", `${event} ${verdict}`, { event, verdict, why, eventId: ref });
    }
  },
  passed: ({ place, moved, renewed, left, rests, complete, olderThan }) => {
    const isCarryOver = olderThan !== undefined;
    const name = isCarryOver ? "carry-over" : "pass";
    log(isCarryOver ? "warn" : "info", name, { place: placeKey(place), moved, renewed, left, rests, complete, olderThan });
    const link = place.to === "undelivered" ? place.link : "none";
    for (const [verdict, n] of [["moved", moved] as const, ["sent-anew", renewed] as const, [name, isCarryOver ? 1 : 0] as const])
      if (n > 0) count(verdict, link, n);
  },
});

const levelOf = ({ verdict }: Step): "info" | "warn" => (verdict === "given-back" || verdict === "dead-lettered" ? "warn" : "info");

/** A probe each minute is nothing to count. */
const countsOf = ({ verdict, reason, failing }: Step): string[] => {
  if (verdict === "passed-on") return [];
  const alsoCounted = reasonsCounted.get(reason);
  return [verdict, ...(alsoCounted ? [alsoCounted] : []), ...(failing ? ["selectorFailed"] : [])];
};

/** Reasons that somebody can do something about. */
const reasonsCounted: ReadonlyMap<Step["reason"], string> = new Map([
  ["crossed-in-vain", "crossedInVain"],
  ["out-of-time", "outOfTime"],
]);

/** EMF metrics cost by name and dimension: dimensions stop at broker and link. */
export const powertools = (broker: BrokerId, serviceName: string): Sinks => {
  const logger = new Logger({ serviceName, persistentLogAttributes: { broker } });
  // Written at once, with dimensions of its own; one for all counts, since making it costs more than a count.
  const single = new Metrics({ namespace: "SpanMQ", serviceName }).singleMetric();
  return {
    log: (level, message, fields) => logger[level](message, { ...fields }),
    count: (name, link, n) => {
      single.addDimensions({ broker, link });
      single.addMetric(name, MetricUnit.Count, n);
    },
  };
};
