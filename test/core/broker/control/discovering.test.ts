import { describe, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import { dueDiscoveries } from "../../../../core/broker/control/discovering.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId } from "../../../../core/ids.ts";
import { controlling } from "../../../support/controlling.ts";
import { aView } from "../../../support/dispatching.ts";
import { sha256 } from "../../../support/hash.ts";

const topic = "topic://prices";
const minute = 60_000;

/** A topic that is here, and SNS that lists what it is told. */
const listing = async () => {
  const world = await controlling();
  const { brain, ports } = world;
  await brain.write("destination", "", topic, { destination: destinationOf(topic), owner: "declared", madeAt: 0 }, 0);
  const listed: string[] = [];
  let fails = false;
  const foreign = {
    list: async () => {
      if (fails) throw new Error("throttled");
      return listed;
    },
  };
  const discover = async (now: number, over: Partial<typeof ports> = {}) => {
    const record = { ref: "r", event: { event: "discover", destination: topic } as const, sentAt: now };
    const [outcome] = await controlBatch({ ...ports, foreign, ...over }, [record], now);
    return outcome?.verdict;
  };
  const demand = async () => (await brain.list("demand", sha256(topic).slice(0, 2))).flatMap(({ value }) => value.groups);
  const view = async () => (await brain.read("view", "", topic))?.value;
  const known = async () => (await brain.read("discovered", "", topic))?.value;
  const fail = (): void => {
    fails = true;
  };
  return { ...world, listed, discover, demand, view, known, fail };
};

describe("listing a topic's subscriptions", () => {
  test("makes those that aren't ours demand, and known to routing", async () => {
    const { listed, discover, demand, view } = await listing();
    listed.push("arn:one", "arn:two");
    expect(await discover(1)).toBe("applied");
    expect(await demand()).toMatchObject([{ origin: "a", count: 2 }]);
    expect(await view()).toMatchObject({ localSubscribers: true, subscribers: { queues: [], foreign: true } });
  });

  test("takes back what is gone", async () => {
    const { listed, discover, demand, view } = await listing();
    listed.push("arn:one");
    await discover(1);
    listed.pop();
    await discover(minute);
    expect(await demand()).toEqual([]);
    expect(await view()).toMatchObject({ localSubscribers: false, subscribers: { foreign: false } });
  });

  test("leaves out what a record of ours names: a link that left the configuration is still on its way out", async () => {
    const { listed, discover, demand, brain } = await listing();
    const target = { to: "own-queue", queue: "x.1" } as const;
    await brain.write("subscription", topic, "own|x.1", { topic, target, state: "removing", arn: "arn:one", effectiveAt: 0 }, 0);
    listed.push("arn:one");
    await discover(1);
    expect(await demand()).toEqual([]);
  });

  test("that SNS was slow to answer isn't taken over what another has found since: who subscribed would miss what goes past SNS", async () => {
    const { listed, discover, view } = await listing();
    await discover(1);
    const list = async () => {
      const before = [...listed];
      listed.push("arn:one");
      await discover(minute + 1);
      return before;
    };
    expect(await discover(minute, { foreign: { list } })).toBe("again");
    expect(await view()).toMatchObject({ subscribers: { foreign: true } });
  });

  test("changes nothing when it fails, and is done again by the next tick", async () => {
    const { listed, discover, demand, known, fail } = await listing();
    listed.push("arn:one");
    await discover(1);
    const before = [await demand(), await known()];
    fail();
    expect(await discover(minute)).toBe("dropped");
    expect([await demand(), await known()]).toEqual(before);
  });

  test("that was judged by nobody is judged when its event comes again", async () => {
    const { listed, discover, demand, known, ports } = await listing();
    listed.push("arn:one");
    const dies = { ...ports.brain, list: () => Promise.reject(new Error("died")) } as typeof ports.brain;
    const dying = {
      ...ports.brain,
      // Dies in the judgement, which begins with the lease.
      write: ((...args: Parameters<typeof ports.brain.write>) =>
        args[0] === "lease" ? dies.list("view", "") : ports.brain.write(...args)) as typeof ports.brain.write,
    };
    expect(await discover(1, { brain: dying })).toBe("again");
    expect([await demand(), (await known())?.lookedAt]).toEqual([[], 0]);
    expect(await discover(1)).toBe("applied");
    expect([(await demand()).length, (await known())?.lookedAt]).toEqual([1, 1]);
  });

  test("is left out where the topic has gone meanwhile: nobody makes it again for those who were subscribed", async () => {
    const { listed, discover, known, brain } = await listing();
    listed.push("arn:one");
    await brain.write("destination", "", topic, undefined, (await brain.read("destination", "", topic))?.revision ?? 0);
    await discover(1);
    expect(await known()).toBeUndefined();
  });

  test("is forgotten by the deployment that takes the topic out, and with it whoever was subscribed", async () => {
    const { listed, discover, known, demand, ports, brain } = await listing();
    listed.push("arn:one");
    await discover(1);
    await controlBatch(ports, [{ ref: "r", event: { event: "deployed", version: 2 }, sentAt: 2 }], 2);
    expect([await known(), await demand(), (await brain.read("destination", "", topic))?.value.goneAt]).toEqual([undefined, [], 2]);
  });

  test("judges nothing while nothing changes", async () => {
    const { discover, told, known } = await listing();
    await discover(1);
    told();
    await discover(minute);
    expect(told()).toEqual([]);
    expect(await known()).toEqual({ found: 0, lookedAt: minute, since: 1 });
  });
});

describe("a topic's time to be listed", () => {
  const self = brokerId("a");
  const seen = (found: number, lookedAt: number, since: number) => [{ id: topic, revision: 1, value: { found, lookedAt, since } }];
  const isDue = (now: number, records: ReturnType<typeof seen> = []) =>
    dueDiscoveries({ self }, [aView(topic, [])], records, now).length === 1;

  test.for([
    { rule: "comes with the first tick", records: [], now: 0, due: true },
    { rule: "comes with the next tick after a change", records: seen(1, minute, minute), now: 2 * minute, due: true },
    { rule: "comes after as long again as nothing changed", records: seen(1, 3 * minute, minute), now: 4 * minute, due: false },
    { rule: "comes then", records: seen(1, 3 * minute, minute), now: 5 * minute, due: true },
    { rule: "comes after ten minutes at the latest", records: seen(1, 100 * minute, 0), now: 110 * minute, due: true },
    { rule: "and not before", records: seen(1, 100 * minute, 0), now: 110 * minute - 1, due: false },
    { rule: "comes again where what was found wasn't judged", records: seen(1, 0, 0), now: minute, due: true },
  ])("$rule", ({ records, now, due }) => {
    expect(isDue(now, records)).toBe(due);
  });

  test("isn't a queue's", () => {
    expect(dueDiscoveries({ self }, [aView("queue://x", [])], [], 0)).toEqual([]);
  });

  test("is the sooner the longer ago the last listing was; ten are asked for in a second, and no more than 600 by one tick", () => {
    const views = Array.from({ length: 700 }, (_, n) => aView(`topic://t${n}`, []));
    const records = views.map((_, n) => ({ id: `topic://t${n}`, revision: 1, value: { found: 0, lookedAt: 700 - n, since: 700 - n } }));
    const due = dueDiscoveries({ self }, views, records, minute);
    expect(due).toHaveLength(600);
    expect(due[0]).toEqual({ to: self, event: { event: "discover", destination: "topic://t699" } });
    expect(due[10]).toMatchObject({ event: { destination: "topic://t689" }, delaySeconds: 1 });
  });
});
