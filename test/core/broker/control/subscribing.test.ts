import { describe, expect, test } from "vitest";
import { Contended } from "../../../../core/broker/contended.ts";
import { learntScope, readFacts } from "../../../../core/broker/control/facts.ts";
import { judgeDestination } from "../../../../core/broker/control/judge.ts";
import { carryOutSubscriptions } from "../../../../core/broker/control/subscribing.ts";
import { newSubscription, subscriptionId, type WantedSubscription } from "../../../../core/broker/control/subscriptions.ts";
import type { SubscriptionRecord } from "../../../../core/broker/records.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { type LinkRecord, newLink } from "../../../../core/link/link.ts";
import type { Subscriptions, SubscriptionTarget } from "../../../../core/ports.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

const topic = "topic://prices";
const toB = { to: "link", link: linkId(brokerId("a"), "to-b") } as const;
const own = { to: "own-queue", queue: "conn.c1" } as const;

/** The topic's row as it was left, and SNS that writes down what it is asked. */
const found = async (row?: Partial<SubscriptionRecord>, target: SubscriptionTarget = toB) => {
  const { brain, broker, ports, told } = await controlling();
  if (row) await brain.write("subscription", topic, subscriptionId(target), { ...newSubscription(topic, { target }), ...row }, 0);
  const calls: string[] = [];
  const sns = {
    subscribe: async () => {
      calls.push("subscribe");
      return { arn: "new" };
    },
    filter: async (arn: string, policy = "none") => void calls.push(`filter ${arn} ${policy}`),
    unsubscribe: async (arn: string) => void calls.push(`unsubscribe ${arn}`),
    confirm: async () => {},
  };
  const carryOut = async (wanted: readonly WantedSubscription[], subscriptions: Subscriptions = sns, now = 1_000) => {
    const facts = await readFacts(brain, sha256, broker, topic, now);
    return carryOutSubscriptions({ ...ports, brain, subscriptions }, facts, wanted, now);
  };
  /** Somebody else, by other facts, in the middle of it. */
  const meanwhile = async (change: Partial<SubscriptionRecord> | undefined): Promise<void> => {
    const [row] = await brain.list("subscription", topic);
    if (row) await brain.write("subscription", topic, row.id, change && { ...row.value, ...change }, row.revision);
  };
  const left = async () =>
    (await brain.list("subscription", topic)).map(({ value: { state, arn, effectiveAt } }) => ({ state, arn, effectiveAt }));
  const rows = async () => (await brain.list("subscription", topic)).map(({ value }) => value);
  return { carryOut, calls, left, rows, sns, meanwhile, told };
};
const stands = { state: "subscribed", arn: "new", effectiveAt: 16_000 };

describe("subscriptions are carried out", () => {
  test.for([
    {
      rule: "a new one, effective after its grace",
      row: undefined,
      wanted: [toB],
      calls: ["subscribe", "filter new none"],
      left: [stands],
    },
    {
      rule: "one that was begun is finished",
      row: { state: "subscribing" as const },
      wanted: [toB],
      calls: ["subscribe", "filter new none"],
      left: [stands],
    },
    {
      rule: "one that was on its way out: the dead arn is unsubscribed once more, so that a late call hits nothing alive",
      row: { state: "removing" as const, arn: "old" },
      wanted: [toB],
      calls: ["unsubscribe old", "subscribe", "filter new none"],
      left: [stands],
    },
    {
      rule: "an unfinished removal is finished",
      row: { state: "removing" as const, arn: "old" },
      wanted: [],
      calls: ["unsubscribe old"],
      left: [],
    },
    {
      rule: "one whose arn isn't known is asked for it before it goes: the answer may have been lost",
      row: { state: "removing" as const },
      wanted: [],
      calls: ["subscribe", "unsubscribe new"],
      left: [],
    },
    {
      rule: "one that the feed hands over to isn't SNS's",
      row: { state: "removing" as const, fed: true as const },
      wanted: [],
      calls: [],
      left: [],
    },
  ])("$rule", async ({ row, wanted, calls: expected, left: expectedLeft }) => {
    const { carryOut, calls, left } = await found(row);
    await carryOut(wanted.map((target) => ({ target })));
    expect([calls, await left()]).toEqual([expected, expectedLeft]);
  });

  test.for([
    { rule: "to a peer's inbound stays to be removed", target: toB, failed: ["refused"], rows: [{ state: "removing" }] },
    { rule: "to a client's own queue, which went before it, is forgotten", target: own, failed: [], rows: [] },
  ])("one whose arn can't be asked for $rule", async ({ target, failed, rows }) => {
    const { carryOut, left, sns } = await found({ state: "removing" }, target);
    const errors = await carryOut([], { ...sns, subscribe: () => Promise.reject(new Error("refused")) });
    expect([errors.map(({ error }) => error.message), await left()]).toMatchObject([failed, rows]);
  });

  const [xOnly, all] = [
    { selectors: ["kind = 'x'"], policy: "x" },
    { selectors: ["kind = 'x'", "kind = 'y'"], policy: "x or y" },
  ];

  test("another filter is told to SNS as it stands, and is effective after a grace", async () => {
    const { carryOut, calls, rows } = await found({ state: "subscribed", arn: "old", filter: xOnly });
    await carryOut([{ target: toB, filter: all, fedUntil: 5_000 }]);
    expect([calls, await rows()]).toMatchObject([
      ["filter old x or y"],
      [{ state: "subscribed", arn: "old", filter: all, fedUntil: 5_000, effectiveAt: 16_000 }],
    ]);
  });

  test("no filter any more is told, too; an own one that is new and has none isn't", async () => {
    const known = await found({ state: "subscribed", arn: "old", filter: xOnly });
    await known.carryOut([{ target: toB }]);
    const fresh = await found();
    await fresh.carryOut([{ target: own }]);
    expect([known.calls, (await known.rows())[0]?.filter, fresh.calls]).toEqual([["filter old none"], undefined, ["subscribe"]]);
  });

  test("a call that dies leaves what SNS may follow, and a filter to be told", async () => {
    const { carryOut, rows, sns } = await found({ state: "subscribed", arn: "old", filter: xOnly });
    await carryOut([{ target: toB, filter: all, fedUntil: 5_000 }], { ...sns, filter: () => Promise.reject(new Error("died")) });
    expect(await rows()).toMatchObject([{ state: "subscribing", arn: "old", filter: xOnly, fedUntil: 5_000 }]);
  });

  test("one that the feed serves isn't asked of SNS; without a feed it is", async () => {
    const { carryOut, calls, rows } = await found();
    await carryOut([{ target: own, fed: true }]);
    const served = await rows();
    await carryOut([{ target: own }]);
    expect([served, calls, (await rows())[0]]).toMatchObject([
      [{ state: "subscribed", fed: true, effectiveAt: 16_000 }],
      ["subscribe"],
      { state: "subscribed", arn: "new" },
    ]);
  });

  test("a client's own goes at once", async () => {
    const { carryOut, calls, left } = await found({ state: "subscribed", arn: "old" }, own);
    await carryOut([]);
    expect([calls, await left()]).toEqual([["unsubscribe old"], []]);
  });

  test("one that somebody else began is doubted once he can't be at it any more, and subscribed once more", async () => {
    const { carryOut, calls, rows } = await found({ state: "subscribing" });
    await carryOut([{ target: toB }]);
    expect(await rows()).toMatchObject([{ ...stands, doubtedFrom: 1_000 + 60_000 }]);
    await carryOut([{ target: toB }], undefined, 60_999);
    expect(calls).toEqual(["subscribe", "filter new none"]);
    await carryOut([{ target: toB }], undefined, 61_000);
    expect([calls.slice(2), (await rows())[0]?.doubtedFrom]).toEqual([["subscribe", "filter new none"], undefined]);
  });

  test("one is effective after a grace from when SNS had it, however slow that was, and a new topic is ready no sooner", async () => {
    const { ports, brain, broker, clock } = await controlling();
    const key = "topic://prices";
    const subscriber = { holder: "conn/c1", destination: key, priority: 0, count: 1, ownQueue: own.queue };
    await brain.write("presence", key, "conn/c1", subscriber, 0);
    const subscribe = async () => {
      clock.now = 41_000;
      return { arn: "new" };
    };
    await judgeDestination({ ...ports, subscriptions: { ...ports.subscriptions, subscribe } }, broker, key, true, 1_000);
    const [row] = await brain.list("subscription", key);
    expect([row?.value.effectiveAt, (await brain.read("view", "", key))?.value.readyAt]).toEqual([41_000 + 15_000, 41_000 + 15_000]);
  });

  test("one that the other account has to confirm stays begun", async () => {
    const { carryOut, left, sns } = await found();
    await carryOut([{ target: toB }], { ...sns, subscribe: async () => "pending" });
    expect(await left()).toMatchObject([{ state: "subscribing" }]);
  });

  test("a peer's inbound that isn't there is said last: who subscribes here has subscription and view all the same", async () => {
    const { ports, brain, broker } = await controlling();
    const key = "topic://prices";
    await brain.write("link", "", toB.link, { ...newLink(toB.link), state: "started", answeredAt: 500 }, 0);
    const learnt = { link: toB.link, destination: key, version: 1, tableId: "table-b", told: 0 };
    const groups = [{ origin: brokerId("b"), group: "0", path: [], priority: 0, count: 1 }];
    await brain.write("learnt", learntScope(toB.link, key, sha256), key, { ...learnt, groups }, 0);
    const subscribed: SubscriptionTarget[] = [];
    const subscriptions: Subscriptions = {
      ...ports.subscriptions,
      subscribe: async (_, target) => {
        if (target.to === "link") throw new Error("no queue in-a-to-b");
        subscribed.push(target);
        return { arn: "new" };
      },
    };
    const subscriber = { holder: "conn/c1", destination: key, priority: 0, count: 1, ownQueue: own.queue };
    await brain.write("presence", key, "conn/c1", subscriber, 0);
    await expect(judgeDestination({ ...ports, subscriptions }, broker, key, true, 1_000)).rejects.toThrow("no queue in-a-to-b");
    expect([subscribed, (await brain.read("view", "", key))?.value.localSubscribers]).toEqual([[own], true]);
  });

  test("a new topic waits for links that can't be subscribed now, ten minutes at most, and for none that has never run", async () => {
    const readyAt = async (run: Partial<LinkRecord>, minutes: readonly number[]) => {
      const { ports, brain, broker } = await controlling();
      await brain.write("link", "", toB.link, { ...newLink(toB.link), state: "started", answeredAt: 500, ...run }, 0);
      const learnt = { link: toB.link, destination: "topic://prices", version: 1, tableId: "table-b", told: 0 } as const;
      const groups = [{ origin: brokerId("b"), group: "0", path: [], priority: 0, count: 1 }];
      await brain.write("learnt", learntScope(toB.link, learnt.destination, sha256), learnt.destination, { ...learnt, groups }, 0);
      const subscribe = () => Promise.reject(new Error("Rate exceeded"));
      const busy = { ...ports, subscriptions: { ...ports.subscriptions, subscribe } };
      for (const minute of minutes)
        await judgeDestination(busy, broker, learnt.destination, true, minute * 60_000).catch(({ message }: Error) => message);
      return (await brain.read("view", "", learnt.destination))?.value.readyAt;
    };
    const never = Number.MAX_SAFE_INTEGER;
    expect([await readyAt({ ranSince: 500 }, [1, 10]), await readyAt({ ranSince: 500 }, [1, 11])]).toEqual([never, 11 * 60_000 + 15_000]);
    expect(await readyAt({}, [1])).toBe(60_000 + 15_000);
  });

  test("the row says what is about to happen before it happens: a call that dies leaves something to finish", async () => {
    const { carryOut, left, sns } = await found({ state: "subscribed", arn: "old" }, own);
    await expect(carryOut([], { ...sns, unsubscribe: () => Promise.reject(new Error("died")) })).rejects.toThrow("died");
    expect(await left()).toMatchObject([{ state: "removing", arn: "old" }]);
  });
});

describe("somebody who judged by later facts is faster", () => {
  test.for([
    { rule: "and nobody's row is left", change: undefined, leaves: { state: "subscribed", doubtedFrom: 0 } },
    { rule: "and it is to be removed", change: { state: "removing" as const }, leaves: { state: "removing" } },
    { rule: "and has marked it", change: { unwantedSince: 1_000 }, leaves: { state: "subscribed", doubtedFrom: 0 } },
  ])("what SNS was told to deliver is written down, and judged anew: $rule", async ({ change, leaves }) => {
    const { carryOut, rows, sns, meanwhile, told } = await found();
    const slow = { ...sns, filter: () => meanwhile(change) };
    await expect(carryOut([{ target: toB }], slow)).rejects.toThrow(Contended);
    expect([await rows(), told()]).toMatchObject([[{ ...leaves, arn: "new" }], [{ event: { event: "judge", destination: topic } }]]);
  });

  test("what he subscribed anew isn't forgotten by who ended the one before", async () => {
    const { carryOut, rows, sns, meanwhile } = await found({ state: "subscribed", arn: "old" }, own);
    const slow = { ...sns, unsubscribe: () => meanwhile({ state: "subscribed", arn: "newer" }) };
    await expect(carryOut([], slow)).rejects.toThrow(Contended);
    expect(await rows()).toMatchObject([{ state: "subscribed", arn: "newer" }]);
  });

  test("whoever makes one anew that is on its way out knows which arn ends: it is written down before", async () => {
    const { carryOut, rows, sns } = await found({ state: "removing" });
    const seen: unknown[] = [];
    await carryOut([], { ...sns, unsubscribe: async () => void seen.push(...(await rows())) });
    expect(seen).toMatchObject([{ state: "removing", arn: "new" }]);
  });

  test("and made anew what SNS is just asked for: it isn't ended", async () => {
    const { carryOut, rows, calls, sns, meanwhile } = await found({ state: "removing" });
    const slow = { ...sns, subscribe: () => meanwhile({ state: "subscribed", arn: "new" }).then(() => ({ arn: "new" })) };
    await expect(carryOut([], slow)).rejects.toThrow(Contended);
    expect([calls, await rows()]).toMatchObject([[], [{ state: "subscribed", arn: "new" }]]);
  });

  test("the view of a new topic stays as he wrote it", async () => {
    const { ports, brain, broker } = await controlling();
    const subscriber = { holder: "conn/c1", destination: topic, priority: 0, count: 1, ownQueue: own.queue };
    await brain.write("presence", topic, "conn/c1", subscriber, 0);
    const leaves = async () => {
      const [view, presence] = [await brain.read("view", "", topic), await brain.read("presence", topic, "conn/c1")];
      await brain.write("presence", topic, "conn/c1", undefined, presence?.revision ?? 0);
      if (view) await brain.write("view", "", topic, { ...view.value, localSubscribers: false }, view.revision);
      return { arn: "new" };
    };
    const slow = { ...ports, subscriptions: { ...ports.subscriptions, subscribe: leaves } };
    const ended = await judgeDestination(slow, broker, topic, true, 1_000).catch(({ name }: Error) => name);
    expect([(await brain.read("view", "", topic))?.value.localSubscribers, ended]).toEqual([false, "Contended"]);
  });
});

test("every dispatch can know of a subscription before SNS does: whatever dies in between, none is effective that no view names", async () => {
  const { brain, broker, ports } = await controlling();
  await brain.write("destination", "", topic, { destination: { kind: "topic", name: "prices" }, owner: "declared", madeAt: 0 }, 0);
  await brain.write("discovered", "", topic, { found: 0, lookedAt: 1, since: 1 }, 0);
  const holder = { holder: "conn/c1", destination: topic, priority: 0, count: 1, leaseUntil: 180_000, ownQueue: "conn.c1" };
  await brain.write("presence", topic, `${topic}|conn/c1`, holder, 0);
  const seen: unknown[] = [];
  const subscribe = async () => {
    seen.push((await brain.read("view", "", topic))?.value.subscribers?.queues);
    throw new Error("died");
  };
  const subscriptions = { ...ports.subscriptions, subscribe };
  await expect(judgeDestination({ ...ports, subscriptions }, broker, topic, false, 1_000)).rejects.toThrow("died");
  expect(seen).toEqual([["conn.c1"]]);
});

test("with no grace at all a subscription is effective when every view is new, where dispatch delivers by itself", async () => {
  const { brain, broker, ports, slice } = await controlling();
  const judge = () => judgeDestination(ports, { ...broker, slice: { ...slice, subscriptionGrace: 0 } }, topic, false, 1_000);
  const effectiveAt = async () => (await brain.read("subscription", topic, "own|conn.c1"))?.value.effectiveAt;
  await brain.write("discovered", "", topic, { found: 0, lookedAt: 1, since: 1 }, 0);
  const holder = { holder: "conn/c1", destination: topic, priority: 0, count: 1, leaseUntil: 180_000, ownQueue: "conn.c1" };
  await brain.write("presence", topic, `${topic}|conn/c1`, holder, 0);
  await judge();
  expect(await effectiveAt()).toBe(3_000);
});
