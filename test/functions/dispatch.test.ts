import type { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { awsTargets } from "../../aws/targets.ts";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import type { Outcome } from "../../core/broker/dispatch/outcome.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import type { HandOver, HandOverAnswer } from "../../core/ports.ts";
import type { Candidate } from "../../core/routing/view.ts";
import { dispatchHandler } from "../../functions/dispatch.ts";
import { remoteLimits, reserveOf } from "../../functions/reserve.ts";
import { snsThat, sqsSays, sqsThat, unused } from "../aws/fixtures.ts";
import { aRecord } from "../support/a-message.ts";
import { accepted, aView, dispatching, fromProducer, localConsumers, refused, silent } from "../support/dispatching.ts";
import { sha256 } from "../support/hash.ts";
import { aContext, anSqsEvent, rememberingReturns } from "./an-event.ts";

const queue = "queue://orders";
const ten = Array.from({ length: 10 }, (_, n) => fromProducer(`m${n}`, queue));

interface Handling {
  readonly answerOf?: (handOver: HandOver) => HandOverAnswer;
  /** Instead of targets that answer as told: those of AWS, through this client. */
  readonly sqs?: SQSClient;
  /** @default "queue://orders" */
  readonly queue?: string;
  /** @default - consumers of the queue itself */
  readonly candidates?: readonly Candidate[];
  /** @default 60 */
  readonly timeoutSeconds?: number;
}

const handling = ({ answerOf, sqs, queue: to = queue, candidates = [localConsumers], timeoutSeconds = 60 }: Handling = {}) => {
  const { ports, handed, ...rest } = dispatching([aView(to, candidates)], answerOf);
  const whereabouts = whereaboutsOf(rest.slice, sha256);
  const targets = sqs ? awsTargets({ whereabouts: async () => whereabouts, sqs, sns: snsThat(unused), peerSqs: unused }) : ports.targets;
  const observed: Outcome[] = [];
  const returns = rememberingReturns();
  const handler = dispatchHandler(
    { ...ports, longest: timeoutSeconds * 1_000, targets, returns, freshViews: ports.views, doorOf: async () => ({ door: "ingress" }) },
    { dispatched: (outcomes) => void observed.push(...outcomes), controlled: () => {}, passed: () => {} },
    () => 0,
  );
  return { handler, handed, observed, returns, whereabouts, ...rest };
};

describe("dispatch", () => {
  test("hands a batch over, tells what became of each record, and lets Lambda delete it", async () => {
    const { handler, handed, observed } = handling();
    expect(await handler(anSqsEvent(ten), aContext())).toEqual({ batchItemFailures: [] });
    expect(handed.map(({ wire }) => wire.body)).toEqual(ten.map(({ body }) => body));
    expect(observed.map(({ steps }) => steps[0]?.reason)).toEqual(Array(10).fill("local-consumers"));
  });

  test("C19: of ten messages of 200 KB two are refused by the service: exactly these come again, and then all ten have arrived, once", async () => {
    const large = ten.map((record) => ({ ...record, body: record.body.padEnd(200_000, ".") }));
    const refusedOnce = new Set(["m3", "m8"]);
    const arrived: string[] = [];
    const sqs = sqsThat(({ Entries }: { readonly Entries: readonly { readonly Id: string; readonly MessageBody: string }[] }) => {
      if (Entries.reduce((sum, { MessageBody }) => sum + MessageBody.length, 0) > 1_048_576) throw sqsSays("BatchRequestTooLong");
      const Failed = Entries.filter(({ MessageBody }) => refusedOnce.delete(MessageBody.slice(0, 2)));
      const Successful = Entries.filter((entry) => !Failed.includes(entry));
      arrived.push(...Successful.map(({ MessageBody }) => MessageBody.slice(0, 2)));
      return { Successful, Failed: Failed.map(({ Id }) => ({ Id, Code: "Throttling" })) };
    });
    const { handler } = handling({ sqs });
    const first = await handler(anSqsEvent(large), aContext());
    expect(first?.batchItemFailures).toEqual([{ itemIdentifier: "m3" }, { itemIdentifier: "m8" }]);
    const second = await handler(anSqsEvent([large[3], large[8]].flatMap((record) => record ?? [])), aContext());
    expect(second?.batchItemFailures).toEqual([]);
    expect(arrived.toSorted()).toEqual(ten.map(({ ref }) => ref));
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
    const { handler, returns } = handling({ answerOf: () => refused("throttled") });
    await handler(anSqsEvent([{ ...fromProducer("m", queue), receiveCount: 1 }]), aContext());
    await handler(anSqsEvent([{ ...fromProducer("m", queue), receiveCount: 5 }]), aContext());
    expect(returns.delayed.map(({ seconds }) => seconds)).toEqual([2, 32]);
  });

  test("C06: of a FIFO door's batch what stands in its group behind a failed record comes again with it, untouched; other groups are handed over", async () => {
    const ordered = "queue://orders.fifo";
    const answerOf = ({ wire }: HandOver) => (wire.body === "2b" ? refused("throttled") : accepted);
    const { handler, handed, returns } = handling({ answerOf, queue: ordered });
    const records = ["1a", "2a", "3a", "2b", "1b", "2c", "2d", "3b"].map((ref) => ({
      ...fromProducer(ref, ordered),
      group: ref.slice(0, 1),
    }));
    const answer = await handler(anSqsEvent(records), aContext());
    expect(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["2b", "2c", "2d"]);
    expect(handed.map(({ wire }) => wire.body).toSorted()).toEqual(["1a", "1b", "2a", "2b", "3a", "3b"]);
    expect(new Set(returns.delayed.map(({ seconds }) => seconds)).size).toBe(1);
    expect(returns.delayed.map(({ receipt }) => receipt)).toEqual(["receipt-2b", "receipt-2c", "receipt-2d"]);
  });

  test("an empty batch is nothing", async () => {
    expect(await handling().handler({ Records: [] }, aContext())).toEqual({ batchItemFailures: [] });
  });

  test("an order of control is one drain pass, whose result goes to control", async () => {
    const { handler, events } = handling();
    const order = { place: { to: "queue", destination: destinationOf(queue) }, pass: "p1", counter: 3, viewRevision: 1 } as const;
    expect(await handler(order, aContext())).toBeUndefined();
    expect(events).toEqual([
      { to: "a", event: { event: "pass-result", result: { ...order, moved: 0, renewed: 0, left: 0, complete: true } } },
    ]);
  });

  test("a pass of a function with little time works for most of it", async () => {
    const { handler, events, cloud, whereabouts } = handling({ timeoutSeconds: 10 });
    const place = { to: "queue", destination: destinationOf(queue) } as const;
    const { arn } = whereabouts.queueOf(place);
    cloud.queues.create(arn);
    for (const { body } of [...ten, ...ten]) cloud.queues.send(arn, { body, attributes: {} });
    await handler({ place, pass: "p1", counter: 3, viewRevision: 1 }, aContext(9_000));
    expect(events).toMatchObject([{ event: { result: { left: 20, complete: true } } }]);
  });

  test("a pass ends in time to give back what it holds; the next order goes on", async () => {
    const { handler, events, cloud, whereabouts } = handling();
    const place = { to: "queue", destination: destinationOf(queue) } as const;
    const { arn } = whereabouts.queueOf(place);
    cloud.queues.create(arn);
    for (const { body } of [...ten, ...ten]) cloud.queues.send(arn, { body, attributes: {} });
    await handler({ place, pass: "p1", counter: 3, viewRevision: 1 }, aContext(9_000));
    expect(events).toMatchObject([{ event: { result: { left: 10, complete: false } } }]);
    expect(cloud.queues.depth(arn)?.visible).toBe(20);
  });
});

describe("a batch of one FIFO group that a link answers as late as it may", () => {
  const ordered = "queue://orders.fifo";
  const group = Array.from({ length: 10 }, (_, n) => ({ ...fromProducer(`m${n}`, ordered), group: "g" }));
  const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link: linkId(brokerId("a"), "to-b") };

  /** Each invocation has all of its time; each call over the link takes as long as it may. Notes how much was left at its begin and end. */
  const late = (timeoutSeconds: number, answer: HandOverAnswer) => {
    const longest = 1_000 * timeoutSeconds;
    const calls: { readonly begins: number; readonly ends: number }[] = [];
    let left = longest;
    const answerOf = ({ target }: HandOver) => {
      if (target.to !== "link") return accepted;
      const begins = left;
      left -= remoteLimits({ longest }).requestTimeout;
      calls.push({ begins, ends: left });
      return answer;
    };
    const world = handling({ answerOf, queue: ordered, candidates: [toB], timeoutSeconds });
    const context = { ...aContext(), getRemainingTimeInMillis: () => left };
    const invoke = async (records: typeof group) => {
      left = longest;
      const answered = await world.handler(anSqsEvent(records), context);
      const again = new Set(answered?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      return records.filter(({ ref }) => again.has(ref));
    };
    return { ...world, calls, invoke, context, reserve: reserveOf({ longest }) };
  };

  test.for([3, 6, 12, 30])(
    "begins no wave that a function of %i s has no time for; the rest comes later, in order, each once",
    async (timeout) => {
      const { handed, calls, invoke, reserve } = late(timeout, accepted);
      let rest: typeof group = group;
      while (rest.length > 0) {
        const again = await invoke(rest);
        expect(again).toEqual(rest.slice(rest.length - again.length));
        expect(again.length).toBeLessThan(rest.length);
        rest = again;
      }
      expect(calls.filter(({ begins }) => begins <= reserve)).toEqual([]);
      expect(calls.filter(({ ends }) => ends < reserve / 2)).toEqual([]);
      expect(handed.map(({ wire }) => wire.body)).toEqual(group.map(({ body }) => body));
    },
  );

  test("gives back at once, and says why, what was never begun; nothing was claimed for it", async () => {
    const { invoke, returns, observed, audit, handed } = late(12, accepted);
    const again = await invoke(group);
    expect(again.length).toBeGreaterThan(0);
    expect(returns.delayed).toEqual(again.map(({ ref }) => ({ receipt: `receipt-${ref}`, seconds: 0 })));
    expect(observed.filter(({ ends }) => ends.is === "again")).toEqual(
      again.map(({ ref }) => ({ ref, ends: { is: "again", seconds: 0 }, steps: [{ verdict: "given-back", reason: "out-of-time" }] })),
    );
    expect(handed).toHaveLength(10 - again.length);
    expect(audit.records.size).toBe(handed.length);
  });

  test("gives everything back where not even the first wave has time: its function took long to start", async () => {
    const { handler, handed, audit } = late(12, accepted);
    const answered = await handler(anSqsEvent(group), aContext(4_000));
    expect(answered?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(group.map(({ ref }) => ref));
    expect([handed, audit.records.size]).toEqual([[], 0]);
  });

  test("a pass looks at the time after each wave, too, and leaves the rest where it is", async () => {
    const { handler, handed, events, cloud, whereabouts, calls, reserve, context } = late(12, accepted);
    const place = { to: "queue", destination: destinationOf(ordered) } as const;
    const { arn } = whereabouts.queueOf(place);
    cloud.queues.create(arn);
    for (const { body } of group) cloud.queues.send(arn, { body, attributes: {} }, { order: { group: "g", deduplicationId: body } });
    await handler({ place, pass: "p1", counter: 3, viewRevision: 1 }, context);
    expect(calls.filter(({ begins }) => begins <= reserve)).toEqual([]);
    expect(handed.map(({ wire }) => wire.body)).toEqual(group.map(({ body }) => body).slice(0, handed.length));
    expect(cloud.queues.peek(arn).map(({ body }) => body)).toEqual(group.map(({ body }) => body).slice(handed.length));
    const left = 10 - handed.length;
    expect(events).toMatchObject([{ event: { result: { moved: handed.length, left, complete: false } } }]);
    expect(cloud.queues.depth(arn)?.visible).toBe(left);
  });

  test("waits once for a link that hangs: what stands behind is put beside what was parked for it", async () => {
    const { handed, calls, invoke } = late(12, silent);
    expect(await invoke(group)).toEqual([]);
    expect(calls).toHaveLength(1);
    expect(handed.filter(({ target }) => target.to !== "link").map(({ wire }) => wire.body)).toEqual(group.map(({ body }) => body));
  });
});
