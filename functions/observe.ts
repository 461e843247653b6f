import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { ControlOutcome } from "../core/broker/control.ts";
import type { Outcome, Step } from "../core/broker/outcome.ts";
import type { BrokerId } from "../core/ids.ts";

/** Says what became of each record: one line with its reason, and a count in the same words. Bodies are never written. */
export interface Observer {
  dispatched(outcomes: readonly Outcome[]): void;
  controlled(outcomes: readonly ControlOutcome[]): void;
}

const level = (step: Step): "info" | "warn" => (step.verdict === "given-back" || step.verdict === "dead-lettered" ? "warn" : "info");

/** EMF metrics cost by name and dimension: dimensions stop at broker and link. */
export const observer = (broker: BrokerId, logger: Logger, metrics: Metrics): Observer => {
  const count = (name: string, dimensions: Record<string, string>) => {
    const single = metrics.singleMetric();
    single.addDimensions({ broker, ...dimensions });
    single.addMetric(name, MetricUnit.Count, 1);
  };
  return {
    dispatched: (outcomes) => {
      for (const { messageId, cameBy, steps } of outcomes) {
        for (const step of steps) {
          logger[level(step)](step.verdict, { messageId, link: cameBy, ...step });
          count(step.verdict, { link: cameBy ?? "none" });
          if (step.reason === "crossed-in-vain") count("crossedInVain", { link: cameBy ?? "none" });
        }
      }
    },
    controlled: (outcomes) => {
      for (const { event, verdict, why, ref } of outcomes) {
        logger[verdict === "applied" ? "debug" : "warn"](`${event} ${verdict}`, { event, verdict, why, eventId: ref });
      }
    },
  };
};

export const observerFor = (broker: BrokerId, service: string): Observer =>
  observer(
    broker,
    new Logger({ serviceName: service, persistentLogAttributes: { broker } }),
    new Metrics({ namespace: "SpanMQ", serviceName: service }),
  );
