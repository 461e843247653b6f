import { describe, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import { tick } from "../../../../core/broker/control/tick.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import { brokerId, connectionId, linkId } from "../../../../core/ids.ts";
import type { LinkRecord } from "../../../../core/link/link.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

const [toB, fromB] = [linkId(brokerId("a"), "to-b"), linkId(brokerId("b"), "to-a")];
const records = (...events: readonly ControlEvent[]) => events.map((event, index) => ({ ref: `r${index}`, event, sentAt: 0 }));
const closing: ControlEvent = { event: "closing", from: brokerId("b"), counter: 50 };

describe("control of a broker that is being destroyed", () => {
  const closed = async () => {
    const made = await controlling();
    const stored = await made.brain.read("broker", "", "broker");
    await made.brain.write("broker", "", "broker", { ...made.broker, closing: 1 }, stored?.revision ?? 0);
    return made;
  };
  const consumes: ControlEvent = {
    event: "connection",
    state: {
      connection: connectionId("x"),
      counter: 1,
      consumers: [{ id: "c1", destination: "queue://orders", priority: 0 }],
      closed: false,
    },
  };
  const hello = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 5 };

  test.for<{ rule: string; event: ControlEvent }>([
    { rule: "a client announces itself", event: consumes },
    { rule: "dispatch misses a destination", event: { event: "create", destination: "queue://orders" } },
    { rule: "a peer says hello", event: { event: "hello", hello } },
    { rule: "a link is due to be probed", event: { event: "probe", link: toB } },
    { rule: "a peer closes as well", event: closing },
  ])("makes nothing and answers nobody when $rule: the event waits", async ({ event }) => {
    const { ports, cloud, brain, told } = await closed();
    const outcomes = await controlBatch(ports, records(event), 10);
    expect(outcomes).toEqual([{ ref: "r0", event: event.event, verdict: "again", why: "the broker is being destroyed" }]);
    expect([cloud.queues.arns(), told(), await brain.list("link", ""), await brain.list("hello", "")]).toEqual([[], [], [], []]);
  });

  test("isn't woken by the tick", async () => {
    const { ports, told } = await closed();
    expect([await tick(ports, 10), told()]).toEqual([0, []]);
  });
});

describe("control of a peer that hears of it", () => {
  const linked = async () => {
    const made = await controlling();
    const record: LinkRecord = { link: toB, state: "started", probedAt: 1, answeredAt: 1, lag: 0 };
    await made.brain.write("link", "", toB, record, 0);
    return { ...made, state: async () => (await made.brain.read("link", "", toB))?.value };
  };

  test("takes its links for stopped, until a later hello says more", async () => {
    const { ports, brain } = await linked();
    const hello = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 5 };
    await controlBatch(ports, records({ event: "hello", hello }, closing), 10);
    const heard = async () => (await brain.read("hello", "", fromB))?.value.hello;
    expect(await heard()).toMatchObject({ stopped: true, counter: 50 });
    await controlBatch(ports, records({ event: "hello", hello: { ...hello, counter: 49 } }), 10);
    expect(await heard()).toMatchObject({ stopped: true });
    await controlBatch(ports, records({ event: "hello", hello: { ...hello, counter: 51 } }), 10);
    expect(await heard()).toEqual({ ...hello, counter: 51 });
  });

  test("ends a subscription to it that nobody wants any more and only its damping keeps", async () => {
    const { ports, brain } = await linked();
    const topic = { kind: "topic", name: "news" } as const;
    await brain.write("destination", "", "topic://news", { destination: topic, owner: "declared", madeAt: 0 }, 0);
    const target = { to: "link", link: toB } as const;
    const kept = { topic: "topic://news", target, state: "subscribed", arn: "arn:x", effectiveAt: 0, unwantedSince: 90 } as const;
    await brain.write("subscription", "topic://news", `link|${toB}`, kept, 0);
    await controlBatch(ports, records(closing), 100);
    expect(await brain.list("subscription", "topic://news")).toEqual([]);
  });

  test("stops its link, once however often it hears", async () => {
    const { ports, state } = await linked();
    await controlBatch(ports, records(closing, closing), 100);
    await controlBatch(ports, records(closing), 200);
    expect(await state()).toMatchObject({ state: "waiting for peer", closedAt: 100 });
  });

  test("doesn't probe it while it counts, but for being told that it is there", async () => {
    const { ports } = await linked();
    const probed: string[] = [];
    const probes = { send: async () => (probed.push("probe") ? "sent" : "no-peer") as "sent" };
    await controlBatch({ ...ports, probes }, records(closing, { event: "probe", link: toB }), 100);
    expect(probed).toEqual([]);
    await controlBatch({ ...ports, probes }, records({ event: "probe", link: toB, heard: true }), 100);
    expect(probed).toEqual(["probe"]);
    await controlBatch({ ...ports, probes }, records({ event: "probe", link: toB }), 100 + 10 * 60_000);
    expect(probed).toEqual(["probe", "probe"]);
  });

  test("stops nothing once the broker was heard again", async () => {
    const { ports, state, brain } = await linked();
    const hello = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 51 };
    await brain.write("hello", "", fromB, { hello, heardAt: 90 }, 0);
    const outcomes = await controlBatch(ports, records(closing), 100);
    expect(outcomes).toMatchObject([{ verdict: "dropped", why: "broker b was heard since" }]);
    expect(await state()).toMatchObject({ state: "started" });
  });

  test("doesn't forget what its next life has put into effect, though it was slow to hear of the end of the one before", async () => {
    const { ports, brain } = await linked();
    const hello = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 5 };
    await brain.write("hello", "", fromB, { hello, heardAt: 1 }, 0);
    const queue = "queue://orders";
    const bucket = sha256(queue).slice(0, 2);
    await brain.write("root", "", "root", { tableId: "table-a", buckets: { [bucket]: 1 } }, 0);
    await brain.write("demand", bucket, queue, { destination: queue, version: 1, groups: [], announced: 1 }, 0);
    await brain.write("effective", queue, fromB, { link: fromB, version: 1 }, 0);
    let isFirst = true;
    const list: typeof brain.list = async (...asked) => {
      if (isFirst && asked[0] === "effective") {
        isFirst = false;
        await controlBatch(ports, records({ event: "hello", hello: { ...hello, counter: 51 } }), 200);
        await controlBatch(ports, records({ event: "effective", link: fromB, destination: queue, version: 2 }), 210);
      }
      return brain.list(...asked);
    };
    expect(await controlBatch({ ...ports, brain: { ...brain, list } }, records(closing), 100)).toMatchObject([{ verdict: "again" }]);
    expect(await controlBatch(ports, records(closing), 220)).toMatchObject([{ verdict: "dropped", why: "broker b was heard since" }]);
    expect((await brain.read("effective", queue, fromB))?.value.version).toBe(2);
  });

  test("probes at once what it was slow to stop when the broker was heard meanwhile: for ten minutes nobody else would", async () => {
    const { ports, brain, state, told } = await linked();
    const hello = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 5 };
    await brain.write("hello", "", fromB, { hello, heardAt: 1 }, 0);
    let isFirst = true;
    const read: typeof brain.read = async (kind, scope, id) => {
      if (isFirst && kind === "link") {
        isFirst = false;
        await controlBatch(ports, records({ event: "hello", hello: { ...hello, counter: 51 } }), 200);
      }
      return brain.read(kind, scope, id);
    };
    expect(await controlBatch({ ...ports, brain: { ...brain, read } }, records(closing), 100)).toMatchObject([{ verdict: "again" }]);
    expect(await state()).toMatchObject({ state: "waiting for peer" });
    told();
    await controlBatch(ports, records(closing), 220);
    expect(told()).toEqual([{ to: "a", event: { event: "probe", link: toB, heard: true } }]);
  });

  test("stops nothing at the word of a broker that it has no link to", async () => {
    const { ports, state } = await linked();
    await controlBatch(ports, records({ ...closing, from: brokerId("z") }), 100);
    expect(await state()).toMatchObject({ state: "started" });
  });
});
