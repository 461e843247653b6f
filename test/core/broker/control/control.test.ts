import { describe, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import { brokerId, connectionId, linkId } from "../../../../core/ids.ts";
import { controlling } from "../../../support/controlling.ts";
import { memoryBrain } from "../../../support/memory/brain.ts";

const link = linkId(brokerId("a"), "to-b");
const queue = "queue://orders";
const records = (events: readonly ControlEvent[]) => events.map((event, index) => ({ ref: `r${index}`, event, sentAt: 0 }));
const consumes = (connection: string, destination: string): ControlEvent => ({
  event: "connection",
  state: { connection: connectionId(connection), counter: 1, consumers: [{ id: "c1", destination, priority: 0 }], closed: false },
});

describe("a batch of control events", () => {
  test("before the deployment wrote its configuration comes again", async () => {
    const { ports } = await controlling();
    const outcomes = await controlBatch({ ...ports, brain: memoryBrain() }, records([{ event: "probe", link }]), 0);
    expect(outcomes).toMatchObject([{ ref: "r0", verdict: "again", why: expect.stringContaining("deployment") }]);
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
