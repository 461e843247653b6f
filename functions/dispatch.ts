import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { toTransportRecord } from "../aws/event-records.ts";
import type { ArrivalDoor } from "../core/broker/dispatch/door.ts";
import { type DrainPorts, drainPass } from "../core/broker/dispatch/drain.ts";
import { intake } from "../core/broker/dispatch/intake.ts";
import type { PassOrder } from "../core/broker/events.ts";
import type { Returns, Views } from "../core/ports.ts";
import { answerBatch } from "./batch.ts";
import type { Observer } from "./observe.ts";
import { reserveOf } from "./reserve.ts";

export interface DispatchPorts extends DrainPorts {
  readonly returns: Returns;
  /** Views for drain passes, not cached. */
  readonly freshViews: Views;
  /** The door that a queue is, by its ARN. */
  doorOf(queueArn: string): Promise<ArrivalDoor>;
}

/** SQS batch → intake → partial batch response; a drain order of control → one pass. Everything that reaches the network comes in through `ports`. */
export const dispatchHandler = (ports: DispatchPorts, observer: Observer, clock: () => number) =>
  middy<SQSEvent | PassOrder, SQSBatchResponse | undefined>().handler(async (event, context: Context) => {
    const mayContinue = () => context.getRemainingTimeInMillis() > reserveOf(ports);
    if (!("Records" in event)) {
      observer.passed(await drainPass({ ...ports, views: ports.freshViews }, event, clock, mayContinue));
      return undefined;
    }
    const [first] = event.Records;
    if (!first) return { batchItemFailures: [] };
    const door = await ports.doorOf(first.eventSourceARN);
    const outcomes = await intake(ports, door, event.Records.map(toTransportRecord), clock(), mayContinue);
    observer.dispatched(outcomes);
    const again = outcomes.flatMap(({ ref, ends }) => (ends.is === "again" ? [{ ref, seconds: ends.seconds }] : []));
    return answerBatch(ports.returns, event, again);
  });
