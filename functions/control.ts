import middy from "@middy/core";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { toTransportRecord } from "../aws/event-records.ts";
import { untilPassed } from "../core/broker/contended.ts";
import type { ControlRecord } from "../core/broker/control/applying.ts";
import { controlBatch } from "../core/broker/control/control.ts";
import { decodeEvent } from "../core/broker/control/decode-event.ts";
import type { ControlPorts } from "../core/broker/control/ports.ts";
import { tick } from "../core/broker/control/tick.ts";
import { type Outcome, outcomeOf } from "../core/broker/dispatch/outcome.ts";
import { backOff } from "../core/carry/back-off.ts";
import { deadLetterOf } from "../core/message/dead-letter.ts";
import type { TransportRecord } from "../core/message/message.ts";
import type { Returns, Targets } from "../core/ports.ts";
import { answerBatch } from "./batch.ts";
import type { Observer } from "./observe.ts";

export interface ControlHandlerPorts extends ControlPorts {
  readonly returns: Returns;
  readonly targets: Targets;
}

interface Tick {
  readonly tick: true;
}

/** SQS batch of control events → use case → partial batch response; the schedule's tick → events. */
export const controlHandler = (ports: ControlHandlerPorts, observer: Observer) =>
  middy<SQSEvent | Tick, SQSBatchResponse | undefined>().handler(async (event) => {
    if ("tick" in event) {
      await tick(ports, ports.clock());
      return undefined;
    }
    const records = event.Records.map(toTransportRecord);
    const { known, odd } = await sortOut(ports.targets, records);
    const outcomes = await controlBatch(ports, known, ports.clock());
    observer.dispatched(odd);
    observer.controlled(outcomes);
    const comeAgain = [...odd.filter(({ ends }) => ends.is === "again"), ...outcomes.filter(({ verdict }) => verdict === "again")];
    const failed = new Set(comeAgain.map(({ ref }) => ref));
    const contended = new Set(outcomes.filter((outcome) => outcome.contended).map(({ ref }) => ref));
    const again = records
      .filter(({ ref }) => failed.has(ref))
      .map(({ ref, receiveCount }) => ({ ref, seconds: contended.has(ref) ? untilPassed : backOff(receiveCount) }));
    return answerBatch(ports.returns, event, again);
  });

interface Sorted {
  readonly known: readonly ControlRecord[];
  readonly odd: readonly Outcome[];
}

/** What is no control event goes to the dead letters with its reason, as at any other door; where that fails it comes again. */
const sortOut = async (targets: Targets, records: readonly TransportRecord[]): Promise<Sorted> => {
  const decoded = records.map((record) => ({ record, event: decodeEvent(record.body) }));
  const known = decoded.flatMap(({ record: { ref, sentAt }, event }) => ("event" in event ? [{ ref, sentAt, event }] : []));
  const odd = decoded.flatMap(({ record, event }) => ("undecodable" in event ? [{ record, why: event.undecodable }] : []));
  if (odd.length === 0) return { known, odd: [] };
  const answers = await targets.handOver(
    odd.map(({ record, why }) => ({
      target: { to: "dead-letters" },
      wire: deadLetterOf(record, { reason: "undecodable", why, destination: "control" }),
    })),
  );
  return {
    known,
    odd: odd.map(({ record: { ref, receiveCount }, why }, index) =>
      outcomeOf({ arrival: "undecodable", ref, why }, [], answers[index], receiveCount),
    ),
  };
};
