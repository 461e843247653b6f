import { beforeEach, describe, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import { learntScope } from "../../../../core/broker/control/facts.ts";
import { judgeDestination } from "../../../../core/broker/control/judge.ts";
import { subscriptionId } from "../../../../core/broker/control/subscriptions.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import type { BrainRecords, RecordKind } from "../../../../core/broker/records.ts";
import { brokerId, connectionId, linkId } from "../../../../core/ids.ts";
import { newLink } from "../../../../core/link/link.ts";
import type { ConsumerSpec } from "../../../../core/presence/presence.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

const queue = "queue://orders";
const topic = "topic://prices";
const minute = 60_000;
const link = linkId(brokerId("a"), "to-b");
const durable = { clientID: "client", subscriptionName: "sub" };

let world: Awaited<ReturnType<typeof controlling>>;
let removed: string[];
beforeEach(async () => {
  world = await controlling();
  removed = [];
  await world.brain.write("destination", "", queue, { destination: { kind: "queue", name: "orders" }, owner: "declared", madeAt: 0 }, 0);
  await world.ports.resources.make({ make: "destination", destination: { kind: "topic", name: "prices" } });
  await world.brain.write("destination", "", topic, { destination: { kind: "topic", name: "prices" }, owner: "declared", madeAt: 0 }, 0);
});
type World = typeof world.ports;
const says = (counter: number, consumers: readonly ConsumerSpec[], { by = "x", closed = false } = {}): ControlEvent => ({
  event: "connection",
  state: { connection: connectionId(by), counter, consumers, closed },
});
const c1 = (destination: string): ConsumerSpec => ({ id: "c1", destination, priority: 0 });
const d1 = (selector?: string): ConsumerSpec => ({ id: "d1", destination: topic, priority: 0, durable, ...(selector && { selector }) });
const control = (event: ControlEvent, now = 0, ports: World = world.ports, sentAt = now) =>
  controlBatch(ports, [{ ref: "r", event, sentAt }], now);
/** Once, before the brain is asked so. */
const beforeWrite = (is: (kind: RecordKind, value: unknown, id: string) => boolean, meanwhile: () => Promise<unknown>): World => {
  let isFirst = true;
  const write: typeof world.brain.write = async (...asked) => {
    if (isFirst && is(asked[0], asked[3], asked[2])) {
      isFirst = false;
      await meanwhile();
    }
    return world.brain.write(...asked);
  };
  return { ...world.ports, brain: { ...world.brain, write } };
};
const beforeRead = (is: (kind: RecordKind, id: string) => boolean, meanwhile: () => Promise<unknown>): World => {
  let isFirst = true;
  const read: typeof world.brain.read = async <K extends RecordKind>(kind: K, scope: string, id: string) => {
    if (isFirst && is(kind, id)) {
      isFirst = false;
      await meanwhile();
    }
    return world.brain.read(kind, scope, id);
  };
  return { ...world.ports, brain: { ...world.brain, read } };
};
const removes = (ports: World, before: () => Promise<unknown> = async () => {}): World => ({
  ...ports,
  resources: {
    ...ports.resources,
    remove: async (resource) => {
      await before();
      if (resource.make === "own-queue") removed.push(resource.queue);
      await world.ports.resources.remove(resource);
    },
  },
});
const stored = async <K extends RecordKind>(kind: K, scope: string): Promise<readonly BrainRecords[K][]> =>
  (await world.brain.list(kind, scope)).map(({ value }) => value);
/** Everything that was ordered happens, and what comes again does, until nothing is left. */
const settle = async (now: number): Promise<void> => {
  for (let at = now, rounds = 0; rounds < 20; rounds += 1) {
    const events = world.told();
    if (events.length === 0) return;
    at += Math.max(1, ...events.map(({ delaySeconds = 0 }) => delaySeconds)) * 1_000;
    for (const { to, event } of events) if (to === "a") await control(event, at);
  }
};

/** Is there a queue of the name? */
const exists = async (name: string): Promise<boolean> => {
  const made = await (world.ports as unknown as { made: { list(): Promise<readonly { name: string }[]> } }).made.list();
  return made.some((one) => one.name.includes(name.replaceAll(".", "-")) || one.name.includes(name));
};

describe("a judgement by later facts that finds nothing to write doesn't stop one by older facts", () => {
  test("a consumer that left stays in the view, and in what peers are told", async () => {
    await control(says(1, []));
    await judgeDestination(world.ports, world.broker, queue, false, 0);
    const slow = beforeWrite(
      (kind) => kind === "view",
      () => control(says(3, []), 30_000),
    );
    const [outcome] = await control(says(2, [c1(queue)]), 0, slow);
    if (outcome?.verdict === "again") await control(says(2, [c1(queue)]), 40_000);
    await settle(40_000);
    await control(says(4, []), 90_000);
    await settle(90_000);
    const views = (await world.brain.read("view", "", queue))?.value.candidates.length;
    const demand = (await Promise.all([sha256(queue).slice(0, 2)].map((bucket) => stored("demand", bucket)))).flat();
    expect([await stored("presence", queue), views, demand.flatMap(({ groups }) => groups)]).toEqual([[], 0, []]);
  });

  test("a link that was stopped and started again meanwhile is no candidate", async () => {
    const { brain, broker } = world;
    await brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1_000, ranSince: 1 }, 0);
    const group = { origin: brokerId("b"), group: "priority 0", path: [], priority: 0, count: 1 };
    const learnt = { link, destination: queue, version: 1, tableId: "table-b", groups: [group], told: 1 };
    await brain.write("learnt", learntScope(link, queue, sha256), queue, learnt, 0);
    await brain.write("seen", "", link, { tableId: "table-b", buckets: { [sha256(queue).slice(0, 2)]: 1 } }, 0);
    await judgeDestination(world.ports, broker, queue, false, 2_000);
    await settle(2_000);
    const candidates = async () => (await brain.read("view", "", queue))?.value.candidates.length;
    expect(await candidates()).toBe(1);
    const command = (run: "start" | "stop", counter: number): ControlEvent => ({ event: "command", link, run, counter });
    const slow = beforeWrite(
      (kind) => kind === "view",
      () => control(command("start", 30_000), 30_000),
    );
    const [outcome] = await control(command("stop", 10_000), 10_000, slow);
    if (outcome?.verdict === "again") await control(command("stop", 10_000), 40_000);
    await settle(40_000);
    expect(await candidates()).toBe(1);
  });
});

test("who was slow to judge by a configuration that was replaced meanwhile judges anew, by the new one", async () => {
  const { brain, broker } = world;
  await brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1_000, ranSince: 1 }, 0);
  const group = { origin: brokerId("b"), group: "priority 0", path: [], priority: 0, count: 1 };
  const learnt = { link, destination: queue, version: 1, tableId: "table-b", groups: [group], told: 1 } as const;
  const without = { ...broker, slice: { ...broker.slice, connectors: broker.slice.connectors.filter((one) => one.link !== link) } };
  const deploy = async (item: typeof broker, now: number) => {
    await brain.write("broker", "", "broker", item, (await brain.read("broker", "", "broker"))?.revision ?? 0);
    await control({ event: "deployed", version: item.version }, now);
    await settle(now);
  };
  await deploy({ ...without, version: 2 }, 2_000);
  const slow = beforeRead(
    (kind, id) => kind === "lease" && id === queue,
    async () => {
      await deploy({ ...broker, version: 3 }, 10_000);
      await brain.write(
        "link",
        "",
        link,
        { ...newLink(link), state: "started", answeredAt: 11_000, ranSince: 1 },
        (await brain.read("link", "", link))?.revision ?? 0,
      );
      await brain.write("learnt", learntScope(link, queue, sha256), queue, learnt, 0);
      await control({ event: "judge", destination: queue }, 12_000);
      expect((await brain.read("view", "", queue))?.value.candidates).toHaveLength(1);
    },
  );
  expect(await control({ event: "judge", destination: queue }, 3_000, slow)).toMatchObject([{ verdict: "again" }]);
  await settle(13_000);
  expect((await brain.read("view", "", queue))?.value.candidates).toHaveLength(1);
});

test("a consumer that its connection had already closed is judged away once the older event comes again", async () => {
  const slow = beforeWrite(
    (kind) => kind === "presence",
    () => control(says(2, []), 1_000),
  );
  await control(says(1, [c1(queue)]), 0, slow);
  await judgeDestination(world.ports, world.broker, queue, false, 2_000); // whoever else had reason to
  const candidates = async () => (await world.brain.read("view", "", queue))?.value.candidates.length;
  expect(await candidates()).toBe(1);
  await control(says(1, [c1(queue)]), 3_000); // it comes again
  expect([await stored("presence", queue), await candidates()]).toEqual([[], 0]);
});

describe("a queue is removed by what was read a minute ago", () => {
  /** What is told meanwhile; `again` as SQS does, if it is to come again. */
  const toldMeanwhile = (event: ControlEvent) => {
    let verdict: string | undefined;
    return {
      tell: async (now: number) => {
        verdict ??= (await control(event, now))[0]?.verdict;
      },
      again: (now: number) => (verdict === "again" ? control(event, now) : undefined),
    };
  };

  test("not the end of a topic subscription whose consumer has woken", async () => {
    await control(says(1, [c1(topic)]));
    const expire = { event: "expire", connection: "x" } as const;
    await control(expire, 6 * minute);
    const late = 20 * minute;
    const wakes = toldMeanwhile(says(2, [c1(topic)]));
    const slow = removes(world.ports, () => wakes.tell(late));
    await control(expire, late, slow);
    await wakes.again(late + 1_000);
    await control(expire, late + 2_000);
    await settle(late + 2_000);
    const [row] = await stored("subscription", topic);
    const own = row?.target.to === "own-queue" ? row.target.queue : "";
    expect([row?.state, await exists(own)]).toEqual(["subscribed", true]);
  });

  test("whoever wakes waits for one that somebody began to remove, and died", async () => {
    await control(says(1, [c1(topic)]));
    const expire = { event: "expire", connection: "x" } as const;
    const late = 20 * minute;
    const dies = removes(world.ports, () => Promise.reject(new Error("dies")));
    expect(await control(expire, late, dies)).toMatchObject([{ verdict: "again" }]);
    const wakes = says(2, [c1(topic)]);
    expect(await control(wakes, late + 1_000)).toMatchObject([{ verdict: "again", why: expect.stringContaining("own queue x.c1.topic") }]);
    await control(expire, late + minute); // by the tick
    expect(await control(wakes, late + minute)).toMatchObject([{ verdict: "applied" }]);
    expect([(await stored("subscription", topic)).map(({ state }) => state), await exists("x.c1.topic")]).toEqual([["subscribed"], true]);
  });

  test("nor the private queue of a consumer that has woken", async () => {
    const chosen = { ...c1(queue), selector: "a = 1" };
    await control(says(1, [chosen]));
    const late = 20 * minute;
    await control({ event: "expire", connection: "x" }, late);
    const [pass] = world.orders.splice(0);
    if (pass?.place.to !== "private") throw new Error("no pass");
    const result = { ...pass, moved: 0, renewed: 0, left: 0, complete: true, failed: false, refused: false, spent: false } as never;
    const [row] = (await world.brain.list("pass", "")).filter(({ value }) => value.pass === pass.pass);
    if (!row) throw new Error("no row");
    await world.brain.write("pass", "", row.id, { ...row.value, emptySince: late - 2 * minute }, row.revision);
    const wakes = toldMeanwhile(says(2, [chosen]));
    const slow = removes(world.ports, () => wakes.tell(late + 1_000));
    await control({ event: "pass-result", result }, late, slow);
    await wakes.again(late + 1_500);
    await control({ event: "pass-result", result }, late + 2_000);
    await settle(late + 2_000);
    const view = await world.brain.read("view", "", queue);
    expect([view?.value.candidates.length, await exists(pass.place.queue)]).toEqual([1, true]);
  });

  test("nor a private queue to which a slow dispatch may still hand over by the view that it read", async () => {
    const chosen = { ...c1(queue), selector: "a = 1" };
    await control(says(1, [chosen]));
    await control(says(2, [], { closed: true }), minute);
    const slow = { ...world.ports, longest: 5 * minute };
    const emptyAt = async (now: number) => {
      await control({ event: "expire", connection: "x" }, now, slow);
      const [pass] = world.orders.splice(0);
      if (pass)
        await control({ event: "pass-result", result: { ...pass, moved: 0, renewed: 0, left: 0, complete: true } }, now + 1_000, slow);
      return exists("x.c1");
    };
    expect([await emptyAt(2 * minute), await emptyAt(4 * minute), await emptyAt(8 * minute)]).toEqual([true, true, false]);
  });
});
describe("durable subscriptions", () => {
  const unsubscribed = (madeAt: number): ControlEvent => ({ event: "unsubscribe", durable, madeAt });

  test("one that was unsubscribed isn't made again by who was overtaken", async () => {
    const slow = beforeRead(
      (kind) => kind === "presence",
      async () => {
        await control(says(2, []), 1_000);
        await control(unsubscribed(0), 2_000);
      },
    );
    await control(says(1, [d1()]), 0, slow);
    await control(says(1, [d1()]), 4_000); // it comes again
    await control({ event: "judge", destination: topic }, 20_000);
    await settle(20_000);
    expect([await stored("durable", ""), await stored("presence", topic), await stored("subscription", topic)]).toEqual([[], [], []]);
  });

  test("another one of the same name isn't left without presence by who ended the one before", async () => {
    await control(says(1, [d1()]));
    await control(says(2, []), 1_000);
    const other = says(1, [d1("a = 1")], { by: "y" });
    await control(other, 2_000); // orders the end of the other
    const [ends] = world.told().filter(({ event }) => event.event === "unsubscribe");
    if (!ends) throw new Error("nothing is ended");
    const slow = beforeRead(
      (kind) => kind === "presence",
      async () => {
        await control(ends.event, 20_000);
        const [outcome] = await control(other, 22_000);
        expect(outcome?.verdict).toBe("applied");
      },
    );
    await control(ends.event, 3_000, slow);
    await settle(30_000);
    await control(says(2, [d1("a = 1")], { by: "y" }), 90_000); // renews
    await settle(90_000);
    const rows = (await stored("subscription", topic)).filter(({ target }) => target.to === "own-queue").map(({ state }) => state);
    expect([(await stored("durable", "")).length, (await stored("presence", topic)).length, rows]).toEqual([1, 1, ["subscribed"]]);
  });

  test("who wakes while his is unsubscribed has it, or is told", async () => {
    await control(says(1, [d1()]));
    await control({ event: "expire", connection: "x" }, 20 * minute);
    world.told();
    const slow = beforeWrite(
      (kind, value) => kind === "durable" && (value as { ending?: true } | undefined)?.ending === true,
      () => control(says(2, [d1()]), 20 * minute),
    );
    await control(unsubscribed(0), 20 * minute, slow);
    await settle(20 * minute + 1_000);
    await control(says(3, [d1()]), 21 * minute);
    await settle(21 * minute);
    const rows = (await stored("subscription", topic)).filter(({ target }) => target.to === "own-queue").map(({ state }) => state);
    expect([(await stored("durable", "")).length, rows]).toEqual([1, ["subscribed"]]);
  });
});

describe("at SNS", () => {
  /** SNS as it is: arns are never used twice. */
  const sns = () => {
    const standing = new Map<string, { arn: string; policy?: string | undefined }>();
    let last = 0;
    const subscriptions: World["subscriptions"] = {
      ...world.ports.subscriptions,
      subscribe: async (_, target) => {
        const id = subscriptionId(target);
        const known = standing.get(id) ?? { arn: `arn:${++last}` };
        standing.set(id, known);
        return { arn: known.arn };
      },
      filter: async (arn, policy) => {
        for (const one of standing.values()) if (one.arn === arn) one.policy = policy;
      },
      unsubscribe: async (arn) => {
        for (const [id, one] of standing) if (one.arn === arn) standing.delete(id);
      },
    };
    return { standing, subscriptions };
  };

  test("a subscription of a consumer that left, begun by who then died, has a row", async () => {
    const { standing, subscriptions } = sns();
    const ports = { ...world.ports, subscriptions };
    let isFirst = true;
    const slow: World = {
      ...ports,
      subscriptions: {
        ...subscriptions,
        subscribe: async (...asked) => {
          if (isFirst) {
            isFirst = false;
            await control(says(2, []), 30_000, ports);
          }
          await subscriptions.subscribe(...asked);
          throw new Error("dies");
        },
      },
    };
    await control(says(1, [c1(topic)]), 0, slow);
    await control(says(1, [c1(topic)]), 60_000, ports); // it comes again
    const events = world.told().filter(({ to }) => to === "a");
    for (const { event } of events) await control(event, 130_000, ports);
    expect([...standing.keys()]).toEqual((await stored("subscription", topic)).map(({ target }) => subscriptionId(target)));
  });

  test("a late Unsubscribe doesn't end what a row says is subscribed", async () => {
    const { standing, subscriptions } = sns();
    const ports = { ...world.ports, subscriptions };
    const once = (step: () => Promise<unknown>) => {
      let isFirst = true;
      return async () => {
        if (isFirst) {
          isFirst = false;
          await step();
        }
      };
    };
    let resumeFirst: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      resumeFirst = resolve;
    });
    let reached: () => void = () => {};
    const firstHangs = new Promise<void>((resolve) => {
      reached = resolve;
    });
    // The first has its arn from SNS and hangs before it notes that.
    const first: World = {
      ...ports,
      subscriptions: {
        ...subscriptions,
        subscribe: async (...asked) => {
          const answer = await subscriptions.subscribe(...asked);
          reached();
          await held;
          return answer;
        },
      },
    };
    const chosen = says(1, [c1(topic)]);
    const start = 10 * minute;
    const running = control(chosen, start, first, start - 4.5 * minute);
    await firstHangs;
    // Another ends it, for the lease was over half a minute later, and hangs before its Unsubscribe.
    const hangsToo = once(async () => {
      resumeFirst();
      await running;
      // Its client wakes while the second one's lease keeps every judgement away.
      await control(says(2, [c1(topic)]), start + 32_000, ports);
      await control(says(2, [c1(topic)]), start + 42_000, ports);
    });
    const second: World = {
      ...ports,
      subscriptions: {
        ...subscriptions,
        unsubscribe: async (arn) => {
          await hangsToo();
          await subscriptions.unsubscribe(arn);
        },
      },
    };
    await control({ event: "judge", destination: topic }, start + 31_000, second);
    for (let at = start + 60_000; at < start + 160_000; at += 20_000)
      for (const { to, event } of world.told()) if (to === "a") await control(event, at, ports);
    await control({ event: "judge", destination: topic }, start + 170_000, ports); // the second's comes again
    const rows = (await stored("subscription", topic)).filter(({ state }) => state === "subscribed");
    expect(rows.map(({ arn }) => arn)).toEqual([...standing.values()].map(({ arn }) => arn));
  });

  test("what SNS filters by is what the row says, though who was slow told it another and died", async () => {
    const { standing, subscriptions } = sns();
    const ports = { ...world.ports, subscriptions };
    const { brain, broker } = world;
    await brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1_000, ranSince: 1 }, 0);
    const wants = async (version: number, selector: string) => {
      const row = await brain.read("learnt", learntScope(link, topic, sha256), topic);
      const group = { origin: brokerId("b"), group: selector, path: [], priority: 0, count: 1, selectors: [selector] };
      const learnt = { link, destination: topic, version, tableId: "table-b", groups: [group], told: 0 };
      await brain.write("learnt", learntScope(link, topic, sha256), topic, learnt, row?.revision ?? 0);
    };
    await wants(1, "a = 'x'");
    let isFirst = true;
    const slow: World = {
      ...ports,
      subscriptions: {
        ...subscriptions,
        filter: async (arn, policy) => {
          if (!isFirst) return subscriptions.filter(arn, policy);
          isFirst = false;
          await wants(2, "a = 'y'");
          await judgeDestination(ports, broker, topic, false, 30_000);
          await subscriptions.filter(arn, policy);
          throw new Error("dies");
        },
      },
      brain: {
        ...brain,
        write: async (...asked) => {
          if (!isFirst) throw new Error("is dead");
          return brain.write(...asked);
        },
      },
    };
    await judgeDestination(slow, broker, topic, false, 2_000).catch(() => {});
    for (let at = 50_000; at < 300_000; at += 60_000) {
      await judgeDestination(ports, broker, topic, false, at); // its event comes again, and whatever else
      world.told();
    }
    const rows = (await stored("subscription", topic)).map(({ target, filter }) => [subscriptionId(target), filter?.policy]);
    expect([...standing].map(([id, { policy }]) => [id, policy]).toSorted()).toEqual(rows);
  });
  /** The link's selectors are all of one filter, told by who hangs in it; `meanwhile` is judged, and who was slow tells it and dies. */
  const toldLate = async (meanwhile: (judge: (selector: string, now: number) => Promise<void>) => Promise<void>) => {
    const { standing, subscriptions } = sns();
    const ports = { ...world.ports, subscriptions };
    const { brain, broker } = world;
    await brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1_000, ranSince: 1 }, 0);
    let version = 0;
    const wants = async (selector: string) => {
      version += 1;
      const row = await brain.read("learnt", learntScope(link, topic, sha256), topic);
      const group = { origin: brokerId("b"), group: selector, path: [], priority: 0, count: 1, selectors: [selector] };
      const learnt = { link, destination: topic, version, tableId: "table-b", groups: [group], told: 0 };
      await brain.write("learnt", learntScope(link, topic, sha256), topic, learnt, row?.revision ?? 0);
    };
    const judge = async (selector: string, now: number) => {
      world.clock.now = now;
      await wants(selector);
      await judgeDestination(ports, broker, topic, false, now);
    };
    const slow: World = {
      ...ports,
      subscriptions: {
        ...subscriptions,
        filter: async (arn, policy) => {
          await meanwhile(judge);
          await subscriptions.filter(arn, policy);
          throw new Error("dies");
        },
      },
      brain: { ...brain, write: async (...asked) => (version > 1 ? Promise.reject(new Error("is dead")) : brain.write(...asked)) },
    };
    await wants("a = 'x'");
    await judgeDestination(slow, broker, topic, false, 2_000).catch(() => {});
    return { standing, ports };
  };

  test("nor though a third one told SNS yet another meanwhile", async () => {
    const { standing, ports } = await toldLate(async (judge) => {
      await judge("a = 'y'", 30_000);
      await judge("a = 'z'", 45_000);
    });
    for (let at = 60_000; at < 300_000; at += 60_000) {
      world.clock.now = at;
      await judgeDestination(ports, world.broker, topic, false, at);
      world.told();
    }
    const rows = (await stored("subscription", topic)).map(({ target, filter }) => [subscriptionId(target), filter?.policy]);
    expect([...standing].map(([id, { policy }]) => [id, policy]).toSorted()).toEqual(rows.toSorted());
  });

  test("what SNS holds back by what it was told late is fed until then", async () => {
    const { standing } = await toldLate((judge) => judge("a = 'y'", 30_000));
    expect(standing.get(`link|${link}`)?.policy).toContain("x");
    const view = await world.brain.read("view", "", topic);
    expect(view?.value.candidates).toMatchObject([{ link, fedUntil: expect.any(Number), bySns: [] }]);
  });
});
