import { beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../../aws/keys.ts";
import { queueAt } from "../../../aws/whereabouts.ts";
import { deadLetterOf } from "../../../core/message/dead-letter.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import type { NativeAttributes } from "../../../core/message/message.ts";
import { aMessage } from "../../support/a-message.ts";
import { hostile } from "../../support/hostile/hostile.ts";
import { seed } from "../../support/hostile/seed.ts";
import { aKey } from "../../support/signing.ts";
import { useEmulatorWorlds } from "../../support/worlds/emulator-world.ts";
import { us as usId, usToEu } from "../../support/worlds/world.ts";

const layer = hostile({ seed });
const open = useEmulatorWorlds(layer);
beforeEach(() => layer.calm());

const orders = { kind: "queue", name: "orders" } as const;
const prices = { kind: "topic", name: "prices" } as const;
const toOrders = { to: "queue", destination: orders } as const;
const toPrices = { to: "topic", destination: prices } as const;
const toEu = { to: "link", link: usToEu } as const;
const wire = (body: string, attributes: NativeAttributes = {}) => ({ body, attributes });
const bodies = (records: readonly { readonly body: string }[]) => records.map(({ body }) => body);

const attributes = (count: number): NativeAttributes =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, { type: "String", value: "x" }]));
const asUs = { broker: usId, signer: aKey("k").signer, hash: sha256 };

/** The queue of orders, the topic of prices and the link's inbound exist. */
const furnished = async () => {
  const world = await open();
  const { where } = world.us;
  const inbound = where.inbound(usToEu);
  const undelivered = where.undelivered(usToEu);
  if (!inbound || !undelivered) throw new Error("the world has no link");
  const [queue, topic] = [where.queueOf(toOrders), where.topicOf(prices)];
  for (const place of [queue, topic, inbound, undelivered]) await world.make(place);
  return { ...world, queue, topic, inbound, undelivered };
};

/** The queue of orders holds so many messages. */
const holding = async (count: number) => {
  const world = await furnished();
  await world.us.targets.handOver(Array.from({ length: count }, (_, i) => ({ target: toOrders, wire: wire(`${i}`) })));
  return world;
};

describe(`a hand-over whose answer is lost (seed ${seed})`, () => {
  test("abroad is silent, never refused: the message is there", async () => {
    const { us, inbound, drain } = await furnished();
    layer.ask({ "lost-answers": 1 });
    expect(await us.targets.handOver([{ target: toEu, wire: wire("x") }])).toMatchObject([{ answer: "silent" }]);
    expect(bodies(await drain(inbound))).toEqual(["x"]);
  });

  test("here is repeated: accepted, and there twice", async () => {
    const { us, queue, drain } = await furnished();
    layer.ask({ "lost-answers": 0.000_001 });
    expect(await us.targets.handOver([{ target: toOrders, wire: wire("x") }])).toEqual([{ answer: "accepted" }]);
    expect(bodies(await drain(queue))).toEqual(["x", "x"]);
  });
});

describe("a hand-over that is throttled", () => {
  test("here is repeated: accepted, and there once", async () => {
    const { us, queue, drain } = await furnished();
    layer.ask({ throttling: 0.000_001 });
    expect(await us.targets.handOver([{ target: toOrders, wire: wire("x") }])).toEqual([{ answer: "accepted" }]);
    expect(bodies(await drain(queue))).toEqual(["x"]);
  });

  test("abroad is refused: it rests here instead", async () => {
    const { us } = await furnished();
    layer.ask({ throttling: 1 });
    expect(await us.targets.handOver([{ target: toEu, wire: wire("x") }])).toMatchObject([{ answer: "refused", cause: "throttled" }]);
  });
});

describe("a hand-over that hangs", () => {
  test("abroad is silent when its three seconds are over", async () => {
    const { us, inbound, drain } = await furnished();
    layer.ask({ hangs: 1 });
    expect(await us.targets.handOver([{ target: toEu, wire: wire("x") }])).toMatchObject([{ answer: "silent" }]);
    expect(await drain(inbound)).toEqual([]);
  });
});

describe("a batch that fails in part", () => {
  test.for([
    { rule: "to a queue", target: toOrders },
    { rule: "to a link", target: toEu },
    { rule: "to a topic", target: toPrices },
  ])("$rule answers for each message: what was accepted is there, what failed proves nothing", async ({ target }) => {
    const { us, queue, inbound, drain } = await furnished();
    await us.subscriptions.subscribe(prices, toEu);
    layer.ask({ "partial-failures": 0.3 });
    const answers = await us.targets.handOver(Array.from({ length: 25 }, (_, i) => ({ target, wire: wire(`${i}`) })));
    const there = await drain(target.to === "queue" ? queue : inbound);
    const arrived = bodies(there).map((body) => (target.to === "topic" ? JSON.parse(body).Message : body));
    const accepted = answers.flatMap(({ answer }, i) => (answer === "accepted" ? [`${i}`] : []));
    expect(arrived.toSorted()).toEqual(accepted.toSorted());
    expect(new Set(answers.map(({ answer }) => answer))).toEqual(new Set(["accepted", "silent"]));
  });

  test("of our own events is repeated for those that failed, as the SDK repeats a call", async () => {
    const { us, make, drain } = await furnished();
    const control = queueAt(us.where.own, us.where.own.controlQueue);
    await make(control);
    layer.ask({ "partial-failures": 0.01 });
    await us.events.send(Array.from({ length: 20 }, (_, i) => ({ to: usId, event: { event: "judge", destination: `queue://${i}` } })));
    expect([(await drain(control)).length, layer.unfired()]).toEqual([20, []]);
  });

  test("of our own events throws when repetition doesn't help, so that the event at hand comes again", async () => {
    const { us, make } = await furnished();
    await make(queueAt(us.where.own, us.where.own.controlQueue));
    layer.ask({ "partial-failures": 1 });
    await expect(us.events.send([{ to: usId, event: { event: "judge", destination: "queue://a" } }])).rejects.toThrow("comes again");
  });

  test("of deletions says how many stay", async () => {
    const { us } = await holding(10);
    const copies = await us.restingQueue.receive(toOrders);
    layer.ask({ "partial-failures": 0.3 });
    const removing = us.restingQueue.remove(toOrders, copies);
    await expect(removing).rejects.toThrow(/of 10 messages stay in queue:\/\/orders \(InternalError\)/);
  });

  test("of copies that are given back leaves the others to their visibility", async () => {
    const { us } = await holding(10);
    const copies = await us.restingQueue.receive(toOrders);
    layer.ask({ "partial-failures": 0.3 });
    await us.restingQueue.giveBack(toOrders, copies);
    const { "partial-failures": failed = 0 } = layer.census();
    layer.calm();
    expect(await us.restingQueue.receive(toOrders)).toHaveLength(10 - failed);
  });
});

describe("what AWS refuses", () => {
  test("an empty body, handed over as it is, is refused; an empty message isn't one", async () => {
    const { us, queue, drain } = await furnished();
    layer.ask(["empty-bodies"]);
    expect(await us.targets.handOver([{ target: toOrders, wire: wire("") }])).toMatchObject([{ answer: "refused", cause: "other" }]);
    const empty = aMessage({ body: { type: "text", text: "" } });
    layer.ask(["empty-bodies"]);
    expect(await us.targets.handOver([{ target: toOrders, wire: encodeMessage(empty, asUs) }])).toEqual([{ answer: "accepted" }]);
    expect([await drain(queue), layer.unfired()]).toMatchObject([[{ attributes: { SpanMQ: {} } }], ["empty-bodies"]]);
  });

  test("an eleventh attribute is refused, its neighbour arrives; forwarded copies and dead letters have ten", async () => {
    const { us, queue, drain } = await furnished();
    layer.ask(["eleventh-attributes"]);
    const crowded = wire("eleven", attributes(11));
    const handOvers = [crowded, wire("none")].map((each) => ({ target: toOrders, wire: each }));
    expect(await us.targets.handOver(handOvers)).toMatchObject([{ answer: "refused", cause: "other" }, { answer: "accepted" }]);
    expect(bodies(await drain(queue))).toEqual(["none"]);
    layer.ask(["eleventh-attributes"]);
    const forwarded = encodeMessage(aMessage({ native: attributes(11) }), asUs);
    const buried = deadLetterOf(wire("x", attributes(10)), { reason: "undecodable", destination: "ingress" });
    expect(await us.targets.handOver([forwarded, buried].map((each) => ({ target: toOrders, wire: each })))).toEqual([
      { answer: "accepted" },
      { answer: "accepted" },
    ]);
  });

  test("a receipt that the queue never gave is said when it was to be removed, and keeps nobody else", async () => {
    const { us } = await holding(2);
    const [first, second] = await us.restingQueue.receive(toOrders);
    if (!first || !second) throw new Error("two messages were expected");
    layer.ask(["bad-receipts"]);
    const strange = { ...first, receipt: "strange" };
    await expect(us.restingQueue.remove(toOrders, [strange])).rejects.toThrow(
      "1 of 1 messages stay in queue://orders (ReceiptHandleIsInvalid)",
    );
    await us.restingQueue.giveBack(toOrders, [strange, second]);
    expect(bodies(await us.restingQueue.receive(toOrders))).toEqual([second.body]);
  });

  test("a queue's name within a minute of its deletion: it is free later", async () => {
    const { us } = await open();
    layer.ask(["deleted-names"]);
    const queue = { make: "own-queue", queue: "c1" } as const;
    await us.resources.make(queue);
    await us.resources.remove(queue);
    await expect(us.resources.make(queue)).rejects.toMatchObject({ name: "QueueNameNotFree", retryAfterSeconds: 60 });
  });

  test("a subscription of a link whose inbound isn't there yet: it is asked for again", async () => {
    const { us, make } = await open();
    const inbound = us.where.inbound(usToEu);
    if (!inbound) throw new Error("the world has no link");
    await make(us.where.topicOf(prices));
    layer.ask(["missing-endpoints"]);
    await expect(us.subscriptions.subscribe(prices, toEu)).rejects.toThrow(inbound.arn);
    await make(inbound);
    expect(await us.subscriptions.subscribe(prices, toEu)).toMatchObject({ arn: expect.stringMatching(/^arn:/) });
  });

  test("a message over its topic's limit is too large, and its neighbour arrives", async () => {
    const { us } = await open();
    await us.resources.make({ make: "destination", destination: prices });
    layer.ask(["topic-limits"]);
    const handOvers = ["x".repeat(248 * 1_024 + 1), "x"].map((body) => ({ target: toPrices, wire: wire(body) }));
    expect(await us.targets.handOver(handOvers)).toMatchObject([{ answer: "refused", cause: "too-large" }, { answer: "accepted" }]);
  });
});

test("what SNS can't deliver to a link whose inbound is gone waits at the owner, in its envelope", async () => {
  const { us, inbound, undelivered, topic, remove, drain } = await furnished();
  layer.ask(["gone-endpoints"]);
  await us.subscriptions.subscribe(prices, toEu);
  await remove(inbound);
  await us.targets.handOver([{ target: toPrices, wire: wire("x") }]);
  expect(bodies(await drain(undelivered)).map((body) => JSON.parse(body))).toMatchObject([{ TopicArn: topic.arn, Message: "x" }]);
});

describe("what takes its time", () => {
  test("a queue that isn't known yet is missing to who hands over, empty to who reads", async () => {
    const { us } = await open();
    layer.ask(["unknown-queues"]);
    await us.resources.make({ make: "destination", destination: orders });
    expect(await us.targets.handOver([{ target: toOrders, wire: wire("x") }])).toMatchObject([{ answer: "refused", cause: "missing" }]);
    expect([await us.depths.visible(toOrders), await us.restingQueue.receive(toOrders)]).toEqual([0, []]);
  });

  test("a depth may be a minute old", async () => {
    const { us } = await holding(3);
    layer.ask(["lagging-depths"]);
    expect(await us.depths.visible(toOrders)).toBe(0);
  });

  test("a subscription has its arn before it delivers", async () => {
    const { us, inbound, drain } = await furnished();
    layer.ask(["slow-subscriptions"]);
    const subscribed = await us.subscriptions.subscribe(prices, toEu);
    expect(await us.subscriptions.subscribe(prices, toEu)).toEqual(subscribed);
    await us.targets.handOver([{ target: toPrices, wire: wire("early") }]);
    expect([await drain(inbound), layer.unfired()]).toEqual([[], []]);
  });
});
