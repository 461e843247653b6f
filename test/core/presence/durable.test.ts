import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durableId } from "../../../core/destination/durable-queue.ts";
import { connectionId } from "../../../core/ids.ts";
import { presenceOf } from "../../../core/presence/consumers.ts";
import { type DurableConsumer, type DurableSubscription, judgeDurable, queueOfDurable } from "../../../core/presence/durable.ts";

const key = { clientID: "billing", subscriptionName: "audit" };
const aConsumer = (fields: Partial<DurableConsumer> = {}): DurableConsumer => ({
  id: "c1",
  destination: "topic://prices",
  priority: 0,
  durable: key,
  ...fields,
});
const standing = (fields: Partial<DurableSubscription> = {}): DurableSubscription => ({
  consumer: aConsumer(),
  takenBy: connectionId("first"),
  madeAt: 1,
  ...fields,
});

describe("judgeDurable: a durable subscription has one subscriber at a time (DUR-15), and is made anew for something else (DUR-16)", () => {
  test.for([
    { rule: "the first subscriber makes it", stored: undefined, verdict: "take" },
    { rule: "who comes back has it", stored: standing(), verdict: "take" },
    {
      rule: "another connection has it when its subscriber is gone",
      stored: standing(),
      consumer: aConsumer({ id: "c7" }),
      verdict: "take",
    },
    { rule: "nobody has it beside its subscriber", stored: standing(), theirs: [aConsumer()], verdict: "refuse" },
    {
      rule: "what else its subscriber's connection consumes doesn't matter",
      stored: standing(),
      theirs: [
        { id: "c1", destination: "topic://prices", priority: 0 },
        aConsumer({ id: "c2", durable: { ...key, subscriptionName: "b" } }),
      ],
      verdict: "take",
    },
    { rule: "another priority is the same subscription", stored: standing(), consumer: aConsumer({ priority: 3 }), verdict: "take" },
    { rule: "another topic is another one", stored: standing(), consumer: aConsumer({ destination: "topic://rates" }), verdict: "remake" },
    { rule: "another selector is another one", stored: standing(), consumer: aConsumer({ selector: "a = 1" }), verdict: "remake" },
    { rule: "with noLocal, too", stored: standing(), consumer: aConsumer({ noLocal: true }), verdict: "remake" },
    {
      rule: "it isn't taken from its subscriber for something else either",
      stored: standing(),
      consumer: aConsumer({ selector: "a = 1" }),
      theirs: [aConsumer()],
      verdict: "refuse",
    },
    { rule: "one that is being removed is waited for", stored: standing({ ending: true }), verdict: "wait" },
  ])("$rule", ({ stored, consumer = aConsumer(), theirs = [], verdict }) => {
    expect(judgeDurable(stored, consumer, theirs).verdict).toBe(verdict);
  });

  test("the refusal says who has it and what to do", () => {
    const refused = judgeDurable(standing(), aConsumer(), [aConsumer()]);
    expect(refused).toEqual({
      verdict: "refuse",
      why: "durable subscription audit of client billing is in use by connection first: close its subscriber first",
    });
  });
});

describe("the names of a durable subscription", () => {
  const names = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom("a", ".", "~", "0", "1", "/", "|") });
  const consumers = fc.record({
    durable: fc.record({ clientID: names, subscriptionName: names }),
    destination: names.map((name) => `topic://${name}`),
    selector: fc.option(names, { nil: undefined }),
    noLocal: fc.boolean(),
  });
  interface Made {
    readonly durable: typeof key;
    readonly destination: string;
    readonly selector: string | undefined;
    readonly noLocal: boolean;
  }
  const made = ({ selector, ...rest }: Made) => aConsumer({ ...rest, ...(selector !== undefined && { selector }) });

  test("no two keys share an id, and no two subscriptions a queue", () => {
    fc.assert(
      fc.property(consumers, consumers, (a, b) => {
        const sameKey = JSON.stringify(a.durable) === JSON.stringify(b.durable);
        expect(durableId(a.durable) === durableId(b.durable)).toBe(sameKey);
        expect(queueOfDurable(made(a)) === queueOfDurable(made(b))).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  test("its queue is the same for every connection, and keeps order where its topic does", () => {
    const queues = ["one", "two"].flatMap((connection) =>
      presenceOf({ connection: connectionId(connection), consumers: [aConsumer({ destination: "topic://a.fifo,b.>" })] }, 0),
    );
    expect(queues.map(({ ownQueue }) => ownQueue)).toEqual([
      "durable.billing.audit.a~1fifo,b~1>.fifo",
      "durable.billing.audit.a~1fifo,b~1>",
      "durable.billing.audit.a~1fifo,b~1>.fifo",
      "durable.billing.audit.a~1fifo,b~1>",
    ]);
  });
});
