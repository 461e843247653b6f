import { beforeEach, describe, expect, test } from "vitest";
import { lookInto } from "../../../../core/broker/control/looking.ts";
import { closePass } from "../../../../core/broker/control/pass-results.ts";
import { lateMarks, orderPass, startPass } from "../../../../core/broker/control/passes.ts";
import type { PassOrder, PassResult } from "../../../../core/broker/events.ts";
import { holdsSome, placeKey, restingCounter } from "../../../../core/broker/resting.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { durableId, durableQueue } from "../../../../core/destination/durable-queue.ts";
import { brokerId, connectionId, linkId } from "../../../../core/ids.ts";
import type { Candidate } from "../../../../core/routing/view.ts";
import { controlling } from "../../../support/controlling.ts";
import { aView, localConsumers } from "../../../support/dispatching.ts";

const queue = "queue://orders";
const place = { to: "queue", destination: destinationOf(queue) } as const;
const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link: linkId(brokerId("a"), "to-b") };

let world: Awaited<ReturnType<typeof controlling>>;
beforeEach(async () => {
  world = await controlling();
});

const rest = (messages: number) => world.brain.add(restingCounter(place), messages);
const see = async (candidates: readonly Candidate[]) => {
  const known = await world.brain.read("view", "", queue);
  await world.brain.write("view", "", queue, aView(queue, candidates), known?.revision ?? 0);
};
/** What was ordered since the last time, at `now`. */
const ordered = async (now: number): Promise<PassOrder[]> => {
  await orderPass(world.ports, place, now);
  return world.orders.splice(0);
};
const close = async (order: PassOrder | undefined, now: number, fields: Partial<PassResult> = {}) => {
  if (!order) throw new Error("no pass was ordered");
  const closed = await closePass(world.ports, { ...order, moved: 0, renewed: 0, left: 0, complete: true, ...fields }, now);
  return { closed, next: world.orders.splice(0).length, looks: looks() };
};
/** Looks that were asked for since the last time, by the seconds until then. */
const looks = () => world.told().flatMap(({ event, delaySeconds = 0 }) => (event.event === "look" ? [delaySeconds] : []));

describe("a pass is ordered", () => {
  test.for([
    { rule: "when something rests and somebody elsewhere would take it", candidates: [toB], rests: 1, orders: 1 },
    { rule: "when local consumers share with a link", candidates: [localConsumers, toB], rests: 1, orders: 1 },
    { rule: "not while nobody but its own consumers would", candidates: [localConsumers], rests: 1, orders: 0 },
    { rule: "not while nobody would", candidates: [], rests: 1, orders: 0 },
    { rule: "not when nothing rests", candidates: [toB], rests: 0, orders: 0 },
  ])("$rule", async ({ candidates, rests, orders }) => {
    await see(candidates);
    await rest(rests);
    expect(await ordered(0)).toHaveLength(orders);
  });

  test.for([
    { rule: "when the depth shows what a producer sent to the queue itself", candidates: [toB], depth: 1, orders: 1 },
    { rule: "not for a depth that local consumers see to", candidates: [localConsumers, toB], depth: 1, orders: 0 },
    { rule: "not for an empty queue", candidates: [toB], depth: 0, orders: 0 },
  ])("$rule", async ({ candidates, depth, orders }) => {
    await see(candidates);
    await orderPass({ ...world.ports, depths: { ...world.ports.depths, visible: async () => depth } }, place, 0);
    expect(world.orders).toHaveLength(orders);
  });
});

describe("a round that is over is not repeated in vain", () => {
  const afterRound = async (left: number) => {
    await see([toB]);
    await rest(3);
    const [order] = await ordered(0);
    await close(order, 1_000, { left });
  };

  test("nothing changed: no order", async () => {
    await afterRound(3);
    expect(await ordered(2_000)).toEqual([]);
  });

  test("another view and something left: an order", async () => {
    await afterRound(3);
    await see([toB, localConsumers]);
    expect(await ordered(2_000)).toHaveLength(1);
  });

  test("another view and nothing left: no order", async () => {
    await afterRound(0);
    await see([toB, localConsumers]);
    expect(await ordered(2_000)).toEqual([]);
  });

  test("something more rests: an order, that says what it will have seen", async () => {
    await afterRound(3);
    await rest(1);
    expect(await ordered(2_000)).toMatchObject([{ place, counter: 4 }]);
  });
});

test("a round that is over clears what rested when it was ordered, by the counter, and nothing that came to rest behind it", async () => {
  await see([toB]);
  await rest(2);
  const [first] = await ordered(0);
  await rest(1);
  if (!first) throw new Error("no pass was ordered");
  await closePass(world.ports, { ...first, moved: 2, renewed: 0, left: 0, complete: true }, 1_000);
  expect(await holdsSome(world.ports, place)).toBe(true);
  const [second] = world.orders.splice(0);
  await close(second, 2_000, { moved: 1 });
  expect(await holdsSome(world.ports, place)).toBe(false);
});

describe("a pass that a rate's window stopped", () => {
  const stopped = async (fields: Partial<PassResult> = {}) => {
    await see([toB]);
    await rest(30);
    const [order] = await ordered(0);
    return close(order, 1_000, { moved: 5, left: 5, complete: false, spent: true, dueAt: 60_000, ...fields });
  };

  test("goes on when the window is over, not before", async () => {
    expect(await stopped()).toMatchObject({ next: 0, looks: [59] });
    expect(await ordered(59_999)).toEqual([]);
    expect(await ordered(60_000)).toHaveLength(1);
  });

  test("is no round that has seen all: what is left keeps others behind it", async () => {
    await stopped({ left: 0 });
    expect(await holdsSome({ ...world.ports, counters: world.brain }, place)).toBe(true);
  });

  test("goes on before if somebody else would take the rest", async () => {
    await stopped();
    await see([toB, localConsumers]);
    expect(await ordered(2_000)).toHaveLength(1);
  });
});

describe("where candidates choose by selectors, a round", () => {
  const choosy: Candidate = { ...toB, selectors: ["n > 1"] };
  const afterRound = async (left: number) => {
    await see([choosy]);
    await rest(left);
    const [order] = await ordered(0);
    await close(order, 1_000, { left });
  };

  test.for([
    { rule: "that left little is soon followed by another", left: 10, now: 1_100, orders: 1, looks: [] },
    { rule: "that left much waits ten milliseconds for each", left: 1_000, now: 10_999, orders: 0, looks: [1] },
    { rule: "and is followed when that is over", left: 1_000, now: 11_000, orders: 1, looks: [] },
    { rule: "waits a quarter of an hour at most", left: 1_000_000, now: 901_000, orders: 1, looks: [] },
  ])("$rule", async ({ left, now, orders, looks: asked }) => {
    await afterRound(left);
    await see([choosy, { ...choosy, id: "another" }]);
    expect(await ordered(now)).toHaveLength(orders);
    expect(looks()).toEqual(asked);
  });

  test("doesn't wait for what time or a breaker made due", async () => {
    await see([choosy]);
    await rest(1_000);
    const [order] = await ordered(0);
    await close(order, 1_000, { left: 1_000, dueAt: 2_000 });
    expect(await ordered(2_000)).toHaveLength(1);
  });

  test("that saw all there is isn't repeated", async () => {
    await afterRound(10);
    expect([await ordered(901_000), looks()]).toEqual([[], []]);
  });
});

describe("where nobody is", () => {
  const due = async (now: number, at: number): Promise<PassOrder[]> => {
    await lookInto(world.ports, place, now, at);
    return world.orders.splice(0);
  };

  test("a round is ordered when the time of something there has come, not before", async () => {
    await see([]);
    await rest(1);
    expect(await due(1_000, 5_000)).toEqual([]);
    expect(await ordered(4_999)).toEqual([]);
    expect(await ordered(5_000)).toHaveLength(1);
  });

  test("the earliest of several times counts", async () => {
    await see([]);
    await due(1_000, 5_000);
    await due(1_000, 9_000);
    expect(await ordered(5_000)).toHaveLength(1);
  });

  test("the next round comes the later, the more the last one left", async () => {
    await see([]);
    const [order] = await due(1_000, 1_000);
    await close(order, 2_000, { left: 3_000, dueAt: 3_000 });
    expect(await ordered(31_999)).toEqual([]);
    expect(looks()).toEqual([1]);
    expect(await ordered(32_000)).toHaveLength(1);
  });

  test("what came to rest behind a round isn't forgotten with it", async () => {
    await see([]);
    const [order] = await due(1_000, 1_000);
    await due(1_500, 7_200_000);
    await close(order, 2_000, { left: 1 });
    expect(await ordered(7_199_999)).toEqual([]);
    expect(await ordered(7_200_000)).toHaveLength(1);
  });

  test("what is due is forgotten once there are consumers, who find it themselves", async () => {
    await see([]);
    await due(1_000, 5_000);
    await see([localConsumers]);
    expect(await ordered(6_000)).toEqual([]);
    expect((await world.brain.read("pass", "", queue))?.value).not.toHaveProperty("dueAt");
  });
});

describe("a link's shelter with something for a rate's next window", () => {
  const shelter = { to: "undelivered", link: linkId(brokerId("a"), "to-b") } as const;
  const look = async (now: number): Promise<number> => {
    await lookInto(world.ports, shelter, now, 5_000);
    return world.orders.splice(0).length;
  };

  test("is emptied on when that opens", async () => {
    expect([await look(1_000), await look(5_000)]).toEqual([0, 1]);
  });

  test("not while its breaker is open: the probe that closes it sees to that", async () => {
    const stored = await world.brain.read("broker", "", "broker");
    if (stored) await world.brain.write("broker", "", "broker", { ...stored.value, breakers: [shelter.link] }, stored.revision);
    expect(await look(5_000)).toBe(0);
  });
});

describe("a pass that is under way", () => {
  test("keeps another from starting, until it is over", async () => {
    await see([toB]);
    await rest(1);
    const [order] = await ordered(0);
    await rest(1);
    expect(await ordered(1_000)).toEqual([]);
    expect((await close(order, 2_000, { moved: 1 })).next).toBe(1);
  });

  test("C16 is taken for lost after two minutes, though the row of its lease still stands", async () => {
    await startPass(world.ports, place, { counter: 0, viewRevision: 0 }, 0);
    await startPass(world.ports, place, { counter: 0, viewRevision: 0 }, 119_999);
    expect(world.orders).toHaveLength(1);
    await startPass(world.ports, place, { counter: 0, viewRevision: 0 }, 120_000);
    expect(world.orders).toHaveLength(2);
  });

  test("of a function that may run for five minutes isn't taken for lost while it may still run", async () => {
    const ports = { ...world.ports, longest: 300_000 };
    await startPass(ports, place, { counter: 0, viewRevision: 0 }, 0);
    await startPass(ports, place, { counter: 0, viewRevision: 0 }, 300_000);
    expect(world.orders).toHaveLength(1);
    await startPass(ports, place, { counter: 0, viewRevision: 0 }, 600_000);
    expect(world.orders).toHaveLength(2);
  });

  test("says nothing any more once another has taken its place", async () => {
    await see([toB]);
    await rest(1);
    const [lost] = await ordered(0);
    const [second] = await ordered(120_000);
    expect(await close(lost, 121_000, { left: 1 })).toEqual({ closed: "another's", next: 0, looks: [] });
    expect((await close(second, 122_000, { moved: 1 })).closed).toBe("closed");
  });

  test.for([
    { rule: "while it moved something is followed by the next a second later", did: { moved: 10 }, looks: [1], next: 1 },
    { rule: "while it sent something anew, too", did: { renewed: 10 }, looks: [1], next: 1 },
    { rule: "because its target refused waits for the tick", did: { left: 10, refused: true } as const, looks: [], next: 1 },
    { rule: "and saw nothing but what stays isn't repeated in vain", did: { left: 50_000 }, looks: [], next: 0 },
  ])("and is cut short $rule", async ({ did, looks: asked, next }) => {
    await see([toB]);
    await rest(20);
    const [order] = await ordered(0);
    expect(await close(order, 1_000, { ...did, complete: false })).toEqual({ closed: "closed", next: 0, looks: asked });
    expect(await ordered(2_000)).toHaveLength(next);
  });

  test("and is cut short and saw nothing but what stays is repeated by the hour, and when the view changes", async () => {
    await see([toB]);
    await rest(60_000);
    const [order] = await ordered(0);
    await close(order, 60_000, { left: 50_000, complete: false });
    await orderPass(world.ports, place, 120_000, 60_000);
    expect(world.orders).toEqual([]);
    expect(await ordered(60_000 + 3_600_000)).toHaveLength(1);
    await see([toB, localConsumers]);
    expect(await ordered(200_000 + 3_600_000)).toHaveLength(1);
  });

  test("and is cut short after a few, by a slow call, isn't taken for a place too large: it is repeated by the tick", async () => {
    await see([toB]);
    await rest(20);
    const [order] = await ordered(0);
    await close(order, 60_000, { left: 10, complete: false });
    expect(await ordered(60_500)).toEqual([]);
    expect(await ordered(120_000)).toHaveLength(1);
  });

  test.for([
    { rule: "before it saw anything", did: {} },
    { rule: "when it held some", did: { left: 10 } },
  ])("and fails $rule is repeated by the tick: what it was ordered for is still to do", async ({ did }) => {
    await see([toB]);
    await rest(20);
    const [first] = await ordered(0);
    await close(first, 1_000, { left: 20, dueAt: 60_000 });
    const [order] = await ordered(60_000);
    expect(await close(order, 61_000, { ...did, complete: false, failed: true })).toMatchObject({ next: 0, looks: [] });
    expect(await ordered(120_000)).toHaveLength(1);
  });

  test("of a link's shelter is cut short while it moved something: the next follows a second later", async () => {
    const shelter = { to: "undelivered", link: linkId(brokerId("a"), "to-b") } as const;
    await startPass(world.ports, shelter, { counter: 0, viewRevision: 0 }, 0);
    expect(await close(world.orders.pop(), 1_000, { moved: 500, complete: false })).toMatchObject({ next: 0, looks: [1] });
    await lookInto(world.ports, shelter, 2_000);
    expect(world.orders).toHaveLength(1);
  });
});

describe("after a full round control looks", () => {
  const afterRound = async (fields: { dueAt?: number; left?: number }) => {
    await see([toB]);
    await rest(3);
    const [order] = await ordered(0);
    return close(order, 1_000, fields);
  };

  test("once more when a dispatch that knew an old view can't be under way any more, and not again if nothing came", async () => {
    expect((await afterRound({})).looks).toEqual([62]);
    await lookInto(world.ports, place, 63_000);
    expect([world.orders, looks()]).toEqual([[], []]);
  });

  test("not before the longest dispatch is over, as long as an event can wait", async () => {
    expect([60_000, 300_000, 900_000].map(lateMarks)).toEqual([62, 302, 900]);
  });

  test("at what rested meanwhile", async () => {
    await afterRound({});
    await rest(1);
    expect(await ordered(63_000)).toHaveLength(1);
  });

  test("when the time of what it left has come, not before", async () => {
    expect((await afterRound({ left: 3, dueAt: 11_000 })).looks).toEqual([62, 10]);
    expect(await ordered(10_999)).toEqual([]);
    expect(await ordered(11_000)).toHaveLength(1);
  });

  test("by a tick, where that is farther off than an event can wait", async () => {
    expect((await afterRound({ left: 3, dueAt: 1_000_000 })).looks).toEqual([62]);
  });
});

test("a look at a durable subscription's queue reads that subscription's record, however many there are", async () => {
  const durable = { clientID: "app.eu", subscriptionName: "audit" };
  const topic = destinationOf("topic://prices");
  const consumer = { id: "c1", destination: "topic://prices", priority: 0, durable };
  await world.brain.write("durable", "", durableId(durable), { consumer, takenBy: connectionId("conn1"), madeAt: 1 }, 0);
  const list = () => Promise.reject(new Error("nothing is listed"));
  const place = { to: "own-queue", queue: durableQueue(durable, topic, {}) } as const;
  for (const looked of [place, { to: "own-queue", queue: "durable.gone.audit.prices" } as const])
    await lookInto({ ...world.ports, brain: { ...world.brain, list } }, looked, 1);
  expect((await world.brain.list("pass", "")).map(({ id }) => id)).toEqual([placeKey(place)]);
});
