import { describe, expect, test } from "vitest";
import type { Outcome } from "../../core/broker/dispatch/outcome.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import type { HandOver, HandOverAnswer } from "../../core/ports.ts";
import { dispatchHandler } from "../../functions/dispatch.ts";
import { aRecord } from "../support/a-message.ts";
import { accepted, aView, dispatching, fromProducer, localConsumers, refused } from "../support/dispatching.ts";
import { aContext, anSqsEvent, rememberingReturns } from "./an-event.ts";

const queue = "queue://orders";
const ten = Array.from({ length: 10 }, (_, n) => fromProducer(`m${n}`, queue));

const handling = (answerOf?: (handOver: HandOver) => HandOverAnswer) => {
  const { ports, handed, ...rest } = dispatching([aView(queue, [localConsumers])], answerOf);
  const observed: Outcome[] = [];
  const returns = rememberingReturns();
  const handler = dispatchHandler(
    { ...ports, returns, doorOf: async () => ({ door: "ingress" }) },
    { dispatched: (outcomes) => void observed.push(...outcomes), controlled: () => {} },
    () => 0,
  );
  return { handler, handed, observed, returns, ...rest };
};

describe("dispatch", () => {
  test("hands a batch over, tells what became of each record, and lets Lambda delete it", async () => {
    const { handler, handed, observed } = handling();
    expect(await handler(anSqsEvent(ten), aContext())).toEqual({ batchItemFailures: [] });
    expect(handed.map(({ wire }) => wire.body)).toEqual(ten.map(({ body }) => body));
    expect(observed.map(({ steps }) => steps[0]?.reason)).toEqual(Array(10).fill("local-consumers"));
  });

  test("C19: of ten messages of 200 KB two are refused by the service: exactly these come again, and then all ten have arrived", async () => {
    const large = ten.map((record) => ({ ...record, body: record.body.padEnd(200_000, ".") }));
    const refusedOnce = new Set(["m3", "m8"]);
    const { handler, handed } = handling(({ wire }) => (refusedOnce.delete(wire.body.slice(0, 2)) ? refused("throttled") : accepted));
    const first = await handler(anSqsEvent(large), aContext());
    const again = first?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    expect(again).toEqual(["m3", "m8"]);
    await handler(anSqsEvent(large.filter(({ ref }) => again?.includes(ref))), aContext());
    const arrived = handed.map(({ wire }) => wire.body.slice(0, 2));
    expect(arrived).toHaveLength(12);
    expect(new Set(arrived).size).toBe(10);
  });

  test("a record that can't be decoded goes to the dead letters with its reason and hurts no neighbour", async () => {
    const { handler, handed } = handling();
    const homeless = { ...aRecord({ body: "homeless" }), ref: "homeless" };
    const answer = await handler(anSqsEvent([...ten.slice(0, 2), homeless, ...ten.slice(2, 4)]), aContext());
    expect(answer).toEqual({ batchItemFailures: [] });
    const [buried, ...more] = handed.filter(({ target }) => target.to === "dead-letters");
    expect(more).toEqual([]);
    expect(buried?.wire.body).toBe("homeless");
    expect(buried?.wire.attributes["SpanMQ.deadLetter"]?.value).toContain("undecodable");
    expect(handed.filter(({ target }) => target.to === "queue")).toHaveLength(4);
  });

  test("what comes again is given back for longer each time", async () => {
    const { handler, returns } = handling(() => refused("throttled"));
    await handler(anSqsEvent([{ ...fromProducer("m", queue), receiveCount: 1 }]), aContext());
    await handler(anSqsEvent([{ ...fromProducer("m", queue), receiveCount: 5 }]), aContext());
    expect(returns.delayed.map(({ seconds }) => seconds)).toEqual([2, 32]);
  });

  test("an empty batch is nothing", async () => {
    expect(await handling().handler({ Records: [] }, aContext())).toEqual({ batchItemFailures: [] });
  });

  test("an order of control is one drain pass, whose result goes to control", async () => {
    const { handler, events } = handling();
    const order = { place: { to: "queue", destination: destinationOf(queue) }, pass: "p1", counter: 3, viewRevision: 1 } as const;
    expect(await handler(order, aContext())).toBeUndefined();
    expect(events).toEqual([{ to: "a", event: { event: "pass-result", result: { ...order, moved: 0, left: 0, complete: true } } }]);
  });
});
