import { describe, expect, test } from "vitest";
import { signerOf, verifierOf } from "../../../../aws/keys.ts";
import { whereaboutsOf } from "../../../../aws/whereabouts.ts";
import { drainPass } from "../../../../core/broker/dispatch/drain.ts";
import type { PassOrder } from "../../../../core/broker/events.ts";
import { destinationKey, destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { decodeConsumed } from "../../../../core/message/decode.ts";
import { encodeMessage } from "../../../../core/message/encode.ts";
import type { WireMessage } from "../../../../core/message/message.ts";
import type { HandOver, HandOverAnswer } from "../../../../core/ports.ts";
import type { RestingPlace } from "../../../../core/routing/plan.ts";
import type { Candidate, DestinationView } from "../../../../core/routing/view.ts";
import { aMessage } from "../../../support/a-message.ts";
import { accepted, always, aView, dispatching, localConsumers, refused, silent } from "../../../support/dispatching.ts";
import { sha256 } from "../../../support/hash.ts";
import { bodies } from "../../../support/simulator/network.ts";

const queue = "queue://orders";
const shared: RestingPlace = { to: "queue", destination: destinationOf(queue) };
const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link: linkId(brokerId("a"), "to-b") };
const order: PassOrder = { place: shared, pass: "p1", counter: 7, viewRevision: 3 };

/** A queue with resting messages, and a pass over it. */
const resting = (
  views: readonly DestinationView[],
  texts: readonly string[],
  answerOf?: (handOver: HandOver) => HandOverAnswer,
  fields: Partial<PassOrder> = {},
  policy: object = {},
) => {
  const world = dispatching(views, answerOf, policy);
  const where = whereaboutsOf(world.slice, sha256);
  const { arn } = where.queueOf(shared);
  world.cloud.queues.create(arn);
  /** From now on what is handed to a queue stands in it. */
  const handsBack = () => {
    const { handOver } = world.ports.targets;
    const handBack = async (handOvers: readonly HandOver[]) => {
      for (const { target, wire } of handOvers) world.cloud.queues.send(where.target(target)?.arn ?? "", wire);
      return handOver(handOvers);
    };
    Object.assign(world.ports.targets, { handOver: handBack });
  };
  for (const body of texts) world.cloud.queues.send(arn, { body, attributes: {} });
  const result = () => world.events.map(({ event }) => event.event === "pass-result" && event.result).at(-1);
  return {
    ...world,
    result,
    left: () => world.cloud.queues.peek(arn).map(({ body }) => body),
    visible: () => world.cloud.queues.depth(arn)?.visible,
    arn,
    handsBack,
    pass: (mayContinue = always) => drainPass(world.ports, { ...order, ...fields }, () => world.clock.now, mayContinue),
  };
};

describe("a drain pass", () => {
  test("moves everything that has a candidate elsewhere, and says so", async () => {
    const { pass, left, handed, result } = resting([aView(queue, [toB])], bodies("m", 25));
    await pass();
    expect(left()).toEqual([]);
    expect(handed.map(({ target, wire }) => [target.to, wire.body])).toEqual(bodies("m", 25).map((body) => ["link", body]));
    expect(result()).toEqual({ ...order, moved: 25, renewed: 0, left: 0, complete: true });
  });

  test("gives back what stays, at once visible to consumers", async () => {
    const { pass, left, visible, handed, result } = resting([aView(queue, [localConsumers])], bodies("m", 25));
    await pass();
    expect([left(), visible(), handed]).toEqual([bodies("m", 25), 25, []]);
    expect(result()).toMatchObject({ moved: 0, left: 25, complete: true });
  });

  test("leaves local consumers their share", async () => {
    const { pass, left, result } = resting([aView(queue, [localConsumers, toB])], bodies("m", 20));
    await pass();
    expect([left().length, result()]).toEqual([10, { ...order, moved: 10, renewed: 0, left: 10, complete: true }]);
  });

  test("leaves a resting message whose destination has no view", async () => {
    const { pass, left } = resting([], ["m"]);
    await pass();
    expect(left()).toEqual(["m"]);
  });

  test("stops where its target refuses everything, instead of trying a whole backlog", async () => {
    const { pass, left, visible, handed, result } = resting([aView(queue, [toB])], bodies("m", 25), () => refused("throttled"));
    await pass();
    expect([left().length, visible(), handed.length]).toEqual([25, 25, 10]);
    expect(result()).toMatchObject({ moved: 0, left: 10, complete: false });
  });

  test("has a copy looked at again that somebody may be at, once nobody can be any more", async () => {
    const { ports, result } = resting([aView(queue, [toB])], ["m"]);
    const record = { owner: "m", attempt: "another", claimedAt: 0, plan: { plan: "drop", reason: "expired" }, state: "claimed" } as const;
    const audit = { ...ports.audit, claim: async () => [{ answer: "found", record } as const] };
    await drainPass({ ...ports, audit }, order, () => 1_000, always);
    expect(result()).toMatchObject({ moved: 0, left: 1, dueAt: 65_000 });
  });

  test("keeps what got no answer and has it looked at soon, moves the rest", async () => {
    const { pass, left, result } = resting([aView(queue, [toB])], bodies("m", 12), ({ wire }) => (wire.body === "m-3" ? silent : accepted));
    await pass();
    expect([left(), result()]).toEqual([["m-3"], { ...order, dueAt: 10_000, moved: 11, renewed: 0, left: 1, complete: true }]);
  });

  test("is cut when the invocation's time is nearly over: the next order goes on", async () => {
    const { pass, left, result } = resting([aView(queue, [toB])], bodies("m", 25));
    await pass(() => false);
    expect([left().length, result()]).toEqual([15, { ...order, moved: 10, renewed: 0, left: 0, complete: false }]);
  });

  const limited = { rateLimit: 15, rateDuration: 60_000 };
  test("REP-4 moves what a rate's window takes, tries no whole backlog, and says when the next one opens", async () => {
    const { pass, left, visible, result } = resting([aView(queue, [toB])], bodies("m", 100), undefined, { paced: true }, limited);
    await pass();
    expect([left().length, visible()]).toEqual([85, 85]);
    expect(result()).toMatchObject({ moved: 15, complete: false, spent: true, dueAt: 60_000 });
    expect(result()).not.toHaveProperty("refused");
  });

  test("REP-4 goes round all the same when it carries over", async () => {
    const { pass, result } = resting([aView(queue, [toB])], bodies("m", 100), undefined, { olderThan: 0 }, limited);
    await pass();
    expect(result()).toMatchObject({ moved: 15, left: 85, complete: true });
  });

  /** A queue with one message that expires at 500. */
  const expiring = (policy: object = {}, answerOf?: (handOver: HandOver) => HandOverAnswer, fields: object = {}) => {
    const world = resting([aView(queue, [localConsumers])], [], answerOf, {}, policy);
    const value = JSON.stringify({ v: 1, expiration: 500, ...fields });
    world.cloud.queues.send(world.arn, { body: "old", attributes: { SpanMQ: { type: "String", value } } });
    return world;
  };
  const expire = async (world: ReturnType<typeof expiring>): Promise<readonly string[]> => {
    world.clock.now = 1_000;
    await world.pass();
    return world.handed.map(({ target }) => ("destination" in target ? destinationKey(target.destination) : target.to));
  };

  test("buries what has expired in the queue for dead letters, where it doesn't expire", async () => {
    const world = expiring();
    expect([await expire(world), world.left()]).toEqual([["queue://ActiveMQ.DLQ"], []]);
    const [{ wire }] = world.handed as [HandOver];
    expect(JSON.parse(wire.attributes["SpanMQ.deadLetter"]?.value ?? "")).toMatchObject({ reason: "expired", destination: queue });
    const decoded = decodeConsumed(
      { ...wire, ref: "dead", id: "dead", sentAt: 1_000, receiveCount: 1 },
      { self: brokerId("a"), hash: sha256, verify: verifierOf([world.key.publicKey]), destination: destinationOf("queue://ActiveMQ.DLQ") },
    );
    expect(decoded).toMatchObject({
      message: {
        expiration: 0,
        originalDestination: destinationOf(queue),
        properties: {
          dlqDeliveryFailureCause: { type: "string", value: "Message Expired. Expiration:500" },
          originalExpiration: { type: "long", value: "500" },
        },
      },
    });
  });

  test.for([
    { rule: "in a queue of its own", policy: { individualDeadLetterStrategy: { queuePrefix: "DLQ." } }, goes: ["queue://DLQ.orders"] },
    { rule: "in a queue that is named", policy: { sharedDeadLetterStrategy: { deadLetterQueue: "DEAD" } }, goes: ["queue://DEAD"] },
    {
      rule: "on a topic",
      policy: { individualDeadLetterStrategy: { useQueueForQueueMessages: false, queueSuffix: ".dead" } },
      goes: ["topic://ActiveMQ.DLQ.Queue.orders.dead"],
    },
    { rule: "nowhere", policy: { discarding: {} }, goes: [] },
    { rule: "nowhere, either", policy: { sharedDeadLetterStrategy: { processExpired: false } }, goes: [] },
  ])("buries it $rule, as its policy says", async ({ policy, goes }) => {
    const world = expiring({ deadLetterStrategy: policy });
    expect([await expire(world), world.left(), world.result()]).toMatchObject([goes, [], { moved: 1, left: 0 }]);
  });

  test.for([
    { processNonPersistent: false, goes: [] },
    { processNonPersistent: true, goes: ["queue://ActiveMQ.DLQ"] },
  ])("buries a NON_PERSISTENT one only where processNonPersistent is on: $processNonPersistent", async ({ goes, ...strategy }) => {
    const policy = { deadLetterStrategy: { sharedDeadLetterStrategy: strategy } };
    expect(await expire(expiring(policy, undefined, { deliveryMode: "NON_PERSISTENT" }))).toEqual(goes);
  });

  test("has the queue for dead letters made where it isn't there yet, and tries again", async () => {
    const world = expiring({}, () => refused("missing"));
    await expire(world);
    expect(world.left()).toEqual(["old"]);
    expect(world.events.map(({ event }) => event)).toContainEqual({ event: "create", destination: "queue://ActiveMQ.DLQ" });
  });

  test("doesn't bury a dead letter once more when it expires itself", async () => {
    const cause = { dlqDeliveryFailureCause: "Message Expired. Expiration:100" };
    const world = expiring({}, undefined, { properties: cause });
    expect([await expire(world), world.left()]).toEqual([[], []]);
  });

  test("whose deletes fail gives back what it held and is reported as cut, so that the next one need not wait for its lease", async () => {
    const views = [aView(queue, [localConsumers, toB])];
    const { ports, result, visible } = resting(views, bodies("m", 10));
    const remove = () => Promise.reject(new Error("5 of 5 messages stay"));
    await expect(drainPass({ ...ports, resting: { ...ports.resting, remove } }, order, () => 0, always)).rejects.toThrow("messages stay");
    expect([result(), visible()]).toEqual([{ ...order, moved: 0, renewed: 0, left: 5, complete: false, failed: true }, 5]);
  });

  test.for(["hand over", "tell control"])(
    "that dies when it is about to %s loses nothing: what it held comes back by itself",
    async (dies) => {
      const world = resting([aView(queue, [dies === "hand over" ? toB : localConsumers])], bodies("m", 5));
      const dead = () => Promise.reject(new Error("the invocation died"));
      const ports = dies === "hand over" ? { ...world.ports, targets: { handOver: dead } } : { ...world.ports, events: { send: dead } };
      await expect(drainPass(ports, order, () => 0, always)).rejects.toThrow("died");
      world.clock.now = 10 * 60_000;
      expect([world.left(), world.visible()]).toEqual([bodies("m", 5), 5]);
    },
  );
});

describe("a drain pass that would take long", () => {
  test("moves 500 messages at most, so that live ones have their turn; the next goes on", async () => {
    const { pass, left, result } = resting([aView(queue, [toB])], bodies("m", 700));
    await pass();
    expect([left().length, result()]).toMatchObject([200, { moved: 500, complete: false }]);
  });

  test("ends when a consumer has come: what it held is given back", async () => {
    const views = [aView(queue, [])];
    const { ports, pass, visible, result } = resting(views, bodies("m", 30));
    const { receive } = ports.resting;
    let turns = 0;
    Object.assign(ports.resting, {
      receive: (place: RestingPlace) => {
        turns += 1;
        if (turns === 2) views[0] = aView(queue, [localConsumers]);
        return receive(place);
      },
    });
    await pass();
    expect([visible(), result()]).toMatchObject([30, { moved: 0, left: 30, complete: false }]);
  });

  test("says when the first of what it holds may be worth another look", async () => {
    const rests = async (texts: readonly string[]) => resting([aView(queue, [toB])], texts);
    const { pass, result, cloud, arn, clock, slice, key } = await rests([]);
    Object.assign(slice, { destinationPolicies: [{ destination: "queue://>", replayWhenNoConsumers: true, replayDelay: 5_000 }] });
    const broker = { broker: slice.broker, signer: signerOf(key.privateKey), hash: sha256 };
    for (const at of [1_000, 2_000]) {
      clock.now = at;
      cloud.queues.send(arn, encodeMessage(aMessage({ brokerPath: [brokerId("b")] }), broker));
    }
    clock.now = 3_000;
    await pass();
    expect(result()).toMatchObject({ moved: 0, left: 2, complete: true, dueAt: 6_000 });
  });
});

describe("a copy that has been received often", () => {
  /** One that was received before as often as is said, after a pass whose queue gives up at 10. */
  const afterReceives = async (receives: number, receiveLimit = 10) => {
    const world = resting([aView(queue, [])], ["m"], undefined, { receiveLimit });
    for (let n = 1; n < receives; n += 1) world.cloud.queues.receive(world.arn, 1, 0);
    world.clock.now = 1_000;
    world.handsBack();
    await world.pass();
    const [copy] = world.cloud.queues.receive(world.arn, 1, 0) ?? [];
    return { ...world, copy };
  };

  test.for([
    { rule: "up to half of what its queue allows is given back", receives: 4, receiveCount: 5 },
    { rule: "half as often as its queue allows is sent anew", receives: 5, receiveCount: 2 },
  ])("$rule", async ({ receives, receiveCount }) => {
    const { copy, left, result } = await afterReceives(receives);
    expect([left(), copy?.receiveCount]).toEqual([["m"], receiveCount]);
    expect(result()).toMatchObject({ moved: 0, renewed: receives === 5 ? 1 : 0, left: 1, complete: true });
  });

  test("C14 however many passes look at it, never comes near what its queue allows", async () => {
    const world = resting([aView(queue, [])], ["m"], undefined, { receiveLimit: 10 });
    world.handsBack();
    const counts: number[] = [];
    for (let n = 1; n <= 40; n += 1) {
      world.clock.now = n * 1_000;
      await world.pass();
      const [copy] = world.cloud.queues.receive(world.arn, 1, 0) ?? [];
      counts.push(copy?.receiveCount ?? 0);
    }
    expect([Math.max(...counts), Math.min(...counts), world.left()]).toEqual([4, 2, ["m"]]);
  });

  test("keeps its id and counts its copies", async () => {
    const { copy } = await afterReceives(5);
    expect(JSON.parse(copy?.attributes.SpanMQ?.value ?? "")).toMatchObject({ id: expect.stringMatching(/-000000000001$/), copies: 1 });
  });

  test("is sent anew once in a pass, however low the limit", async () => {
    expect((await afterReceives(1, 2)).result()).toMatchObject({ renewed: 1, left: 1 });
  });
});

describe("a carry-over", () => {
  const day = 24 * 3_600_000;
  const carryOver = (place: PassOrder["place"], wires: readonly WireMessage[], answerOf?: (handOver: HandOver) => HandOverAnswer) => {
    const world = resting([aView(queue, [])], [], answerOf, { place, olderThan: 4 * day });
    const { arn } = whereaboutsOf(world.slice, sha256).queueOf(place);
    world.cloud.queues.create(arn);
    for (const [index, wire] of wires.entries()) {
      world.clock.now = 3 * day + index * day; // the first three days old, the second four
      world.cloud.queues.send(arn, wire);
    }
    world.clock.now = 8 * day;
    return { ...world, arn, ages: () => world.cloud.queues.receive(arn, 10, 0)?.map(({ body, sentAt }) => [body, sentAt / day]) };
  };
  const plain = (body: string): WireMessage => ({ body, attributes: {} });
  const shelter = { to: "undelivered", link: linkId(brokerId("a"), "to-b") } as const;

  test.for([
    { rule: "a queue", place: shared },
    { rule: "a consumer's private queue", place: { to: "private", queue: "conn.c1" } as const },
    { rule: "what waits for a link alone", place: shelter },
  ])("sends anew what is older than its moment, and nothing else, of $rule", async ({ place }) => {
    const broken = { body: "broken", attributes: { SpanMQ: { type: "String", value: "{" } } };
    const { pass, ages, result, handsBack } = carryOver(place, [broken, plain("young")]);
    handsBack();
    await pass();
    expect(ages()?.toSorted()).toEqual([
      ["broken", 8],
      ["young", 4],
    ]);
    expect(result()).toMatchObject({ moved: 0, renewed: 1, left: 2, complete: true });
  });

  test("hands nothing to a link: nobody knows whether it carries", async () => {
    const { pass, handed } = carryOver(shelter, [plain("old")], () => refused("throttled"));
    await pass();
    expect(handed.map(({ target }) => target.to)).toEqual(["undelivered"]);
  });

  test("leaves what its queue didn't take", async () => {
    const { pass, ages, result } = carryOver(shared, [plain("old")], () => refused("throttled"));
    await pass();
    expect([ages(), result()]).toMatchObject([[["old", 3]], { renewed: 0, left: 1 }]);
  });

  test("sends a message without room for a header as it came: it isn't given up", async () => {
    const answerOf = ({ wire }: HandOver) => (wire.attributes.SpanMQ ? refused("too-large") : accepted);
    const { pass, handed, result } = carryOver(shared, [plain("large")], answerOf);
    await pass();
    expect(handed.map(({ target, wire }) => [target.to, Object.keys(wire.attributes).length])).toEqual([
      ["queue", 2],
      ["queue", 0],
    ]);
    expect(result()).toMatchObject({ renewed: 1 });
  });

  test("that died between sending and deleting leaves a copy that the next pass drops", async () => {
    const { ports, pass, ages, handsBack } = carryOver(shared, [plain("old")]);
    handsBack();
    const { remove } = ports.resting;
    Object.assign(ports.resting, { remove: () => Promise.reject(new Error("the invocation died")) });
    await expect(pass()).rejects.toThrow("died");
    Object.assign(ports.resting, { remove });
    await pass();
    expect(ages()).toEqual([["old", 8]]);
  });
});
