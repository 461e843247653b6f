import { describe, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import { takeLease } from "../../../../core/broker/control/lease.ts";
import type { ControlPorts } from "../../../../core/broker/control/ports.ts";
import { waitingFor } from "../../../../core/broker/control/readiness.ts";
import { newSubscription, subscriptionId } from "../../../../core/broker/control/subscriptions.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import { brokerId, connectionId, linkId } from "../../../../core/ids.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";
import { type MemoryBrain, memoryBrain } from "../../../support/memory/brain.ts";

const link = linkId(brokerId("a"), "to-b");
const queue = "queue://orders";
const records = (events: readonly ControlEvent[]) => events.map((event, index) => ({ ref: `r${index}`, event, sentAt: 0 }));
const consumes = (connection: string, destination: string): ControlEvent => ({
  event: "connection",
  state: { connection: connectionId(connection), counter: 1, consumers: [{ id: "c1", destination, priority: 0 }], closed: false },
});

/** Control dies after so many writes. */
const dyingAfter = (lives: number, brain: MemoryBrain): MemoryBrain => {
  let left = lives;
  const mortal =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (left === 0) throw new Error("control died");
      return call(...args);
    };
  const write: MemoryBrain["write"] = async (...args) => {
    const answer = await mortal(brain.write)(...args);
    left -= 1;
    return answer as never;
  };
  return { ...brain, write, read: mortal(brain.read) as typeof brain.read, list: mortal(brain.list) as typeof brain.list };
};

describe("a batch of control events", () => {
  test("before the deployment wrote its configuration comes again", async () => {
    const { ports } = await controlling();
    const outcomes = await controlBatch({ ...ports, brain: memoryBrain() }, records([{ event: "probe", link }]), 0);
    expect(outcomes).toMatchObject([{ ref: "r0", verdict: "again", why: expect.stringContaining("deployment") }]);
  });

  test("N05 by a restored table comes again until that is taken up", async () => {
    const { ports } = await controlling();
    const deployed: ControlEvent = { event: "deployed", version: 1 };
    await controlBatch(ports, records([deployed]), 0);
    const restored = { ...ports, table: { tableId: async () => "restored" } };
    const outcomes = await controlBatch(restored, records([consumes("x", queue), deployed]), 0);
    expect(outcomes.map(({ ref, verdict, why }) => [ref, verdict, why]).toSorted()).toEqual([
      ["r0", "again", "the table was restored and isn't taken up yet"],
      ["r1", "applied", undefined],
    ]);
    expect(await controlBatch(restored, records([consumes("x", queue)]), 0)).toMatchObject([{ verdict: "applied" }]);
  });

  test("that finds SNS's filter policies of a topic used up says so", async () => {
    const { ports, brain } = await controlling();
    const topic = "topic://prices";
    const filter = { selectors: ["kind = 'x'"], policy: "{}" };
    for (let n = 0; n < 200; n += 1) {
      const target = { to: "own-queue", queue: `x.${n}` } as const;
      const row = { ...newSubscription(topic, { target }), state: "subscribed", arn: `arn ${n}`, filter } as const;
      await brain.write("subscription", topic, subscriptionId(target), row, 0);
      const holder = { holder: `x/${n}`, destination: topic, priority: 0, count: 1, ownQueue: `x.${n}`, selector: "kind = 'x'" };
      await brain.write("presence", topic, `${topic}|x/${n}`, holder, 0);
    }
    const choosy: ControlEvent = {
      event: "connection",
      state: {
        connection: connectionId("y"),
        counter: 1,
        consumers: [{ id: "c1", destination: topic, priority: 0, selector: "kind = 'y'" }],
        closed: false,
      },
    };
    expect(await controlBatch(ports, records([choosy]), 0)).toEqual([
      {
        ref: "r0",
        event: "connection",
        verdict: "applied",
        why: expect.stringMatching(/^topic:\/\/prices has 200 filter policies.*: 1 more/),
      },
    ]);
  });

  test("judges a destination once, however many events name it", async () => {
    const { ports, cloud } = await controlling();
    const made: string[] = [];
    const resources = { ...ports.resources, make: async (resource: object) => void made.push(JSON.stringify(resource)) };
    await controlBatch(
      { ...ports, resources },
      records([consumes("x", queue), consumes("y", queue), { event: "judge", destination: queue }]),
      0,
    );
    expect([made.length, cloud.queues.arns()]).toEqual([1, []]);
  });

  test("in which one fails: its neighbours are applied, it comes again with its reason", async () => {
    const { ports, brain } = await controlling();
    const probes = { send: () => Promise.reject(new Error("no credentials")) };
    const outcomes = await controlBatch(
      { ...ports, probes },
      records([consumes("x", queue), { event: "probe", link }, consumes("y", queue)]),
      0,
    );
    expect(outcomes.map(({ verdict, why }) => [verdict, why])).toEqual([
      ["applied", undefined],
      ["again", "Error: no credentials"],
      ["applied", undefined],
    ]);
    expect(await brain.list("connection", "")).toHaveLength(2);
  });

  test("whose destination can't be judged: every event that named it comes again, the others don't", async () => {
    const { ports } = await controlling();
    const make = async ({ destination }: { readonly destination?: { readonly name: string } }) => {
      if (destination?.name === "orders") throw new Error("throttled");
    };
    const events = [consumes("x", queue), consumes("y", "queue://other"), consumes("z", queue)];
    const outcomes = await controlBatch(
      { ...ports, resources: { ...ports.resources, make: (one) => make(one as never) } },
      records(events),
      0,
    );
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(["again", "applied", "again"]);
  });

  test("with a comparison that its peer doesn't answer drops it: the next tick repeats it", async () => {
    const { ports, brain } = await controlling();
    await brain.write("link", "", link, { link, state: "started", probedAt: 0, answeredAt: 1, lag: 0 }, 0);
    const peers = { ...ports.peers, root: () => Promise.reject(new Error("timed out")) };
    const outcomes = await controlBatch({ ...ports, peers }, records([{ event: "compare", link }]), 0);
    expect(outcomes).toMatchObject([{ verdict: "dropped", why: expect.stringContaining("timed out") }]);
  });

  test("that says twice and out of order what is in effect keeps the highest version", async () => {
    const { ports, brain } = await controlling();
    const effective = (version: number): ControlEvent => ({ event: "effective", link, destination: queue, version });
    await controlBatch(ports, records([effective(5), effective(7), effective(7), effective(6)]), 0);
    expect((await brain.read("effective", queue, link))?.value).toEqual({ link, version: 7 });
  });
});

test("a consumer whose destination somebody else judges, maybe without it, isn't ready until that was judged with it", async () => {
  const { ports, brain } = await controlling();
  const [event] = records([consumes("x", queue)]);
  const says = async (): Promise<unknown> => (await controlBatch(ports, event ? [event] : [], 0))[0]?.verdict;
  const waits = async () => (await waitingFor(brain, sha256, connectionId("x"), 1, 60_000)).map((wait) => wait.for);
  const takenUp = "control to take up this connection";
  const lease = await takeLease(brain, queue, 0);
  expect([await says(), await waits()]).toEqual(["again", [takenUp]]);
  await lease?.release();
  expect([await says(), await waits()]).toEqual(["applied", expect.not.arrayContaining([takenUp])]);
});

describe("a subscriber that left", () => {
  const topic = "topic://prices";
  const consumers = [{ id: "c1", destination: topic, priority: 0 }];
  const state = { connection: connectionId("x"), counter: 1, consumers, closed: false };

  test.for([
    { rule: "by closing its connection", left: { ...state, counter: 2, closed: true } },
    { rule: "by closing its connection, which says no more what it had", left: { ...state, counter: 2, closed: true, consumers: [] } },
    { rule: "and whose connection stays", left: { ...state, counter: 2, consumers: [] } },
  ])("$rule leaves nothing behind, wherever control died at its coming", async ({ left }) => {
    for (let lives = 1; lives <= 6; lives += 1) {
      const { ports, brain, cloud } = await controlling();
      const says = (of: typeof state, at: number, to: ControlPorts = ports) =>
        controlBatch(to, records([{ event: "connection", state: of }]), at);
      await says(state, 0, { ...ports, brain: dyingAfter(lives, brain) });
      await says(left, 11_000); // its lease is over
      await controlBatch(ports, records([{ event: "judge", destination: topic }]), 12_000);
      await controlBatch(ports, records([{ event: "expire", connection: "x" }]), 22_000);
      await controlBatch(ports, records([{ event: "judge", destination: topic }]), 80_000);
      const standing = [await brain.list("presence", topic), await brain.list("subscription", topic), cloud.queues.arns()];
      expect({ lives, standing }).toEqual({ lives, standing: [[], [], []] });
    }
  });

  test("after its broker's table was restored from before it came: what it says it had is cleared", async () => {
    const { ports, cloud } = await controlling();
    await ports.resources.make({ make: "own-queue", queue: "x.c1.topic" });
    await controlBatch(ports, records([{ event: "connection", state: { ...state, counter: 2, closed: true } }]), 0);
    await controlBatch(ports, records([{ event: "expire", connection: "x" }]), 12_000);
    expect(cloud.queues.arns()).toEqual([]);
  });
});

describe("a probe that came back", () => {
  const answer: ControlEvent = { event: "hello-answer", link, counter: 5, digest: "d" };

  test("lets a link that comes up read its peer at once, a started one not", async () => {
    const { ports, told } = await controlling();
    await controlBatch(ports, records([answer]), 10);
    expect(told()).toEqual([{ to: "a", event: { event: "compare", link } }]);
    await controlBatch(ports, records([{ ...answer, counter: 6 }]), 11);
    expect(told()).toEqual([]);
  });

  test("of a link that isn't ours says nothing", async () => {
    const { ports, brain, told } = await controlling();
    await controlBatch(ports, records([{ ...answer, link: linkId(brokerId("z"), "to-a") }]), 10);
    expect([await brain.list("link", ""), told()]).toEqual([[], []]);
  });
});
