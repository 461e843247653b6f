import { describe, expect, test } from "vitest";
import { tick } from "../../../../core/broker/control/tick.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import { connectionId } from "../../../../core/ids.ts";
import type { OutgoingEvent } from "../../../../core/ports.ts";
import { judgeConnection } from "../../../../core/presence/connection.ts";
import { aView, dispatching, localConsumers } from "../../../support/dispatching.ts";
import { memoryBrain } from "../../../support/memory/brain.ts";
import { rowsOf } from "../../../support/simulator/rows.ts";

const minute = 60_000;

/** Broker a of a pair with what its table holds, and what a tick told. */
const aBroker = async () => {
  const { ports, slice } = dispatching([]);
  const brain = memoryBrain();
  const sent: OutgoingEvent[] = [];
  await brain.write("broker", "", "broker", { slice, version: 1, keys: [], peerKeys: {} }, 0);
  const events = {
    send: async (told: readonly OutgoingEvent[]) => {
      sent.push(...told);
      return { dropped: 0 };
    },
  };
  return { brain, sent, tickAt: (now: number) => tick({ identity: ports.identity, brain, events, table: brain }, now) };
};
const told = (sent: readonly OutgoingEvent[], name: ControlEvent["event"]) =>
  sent.map(({ event }) => event).filter(({ event }) => event === name);

describe("a tick", () => {
  test("probes and compares each link of its broker, and no other's", async () => {
    const { sent, tickAt } = await aBroker();
    await tickAt(0);
    expect(sent.map(({ to, event }) => [to, event])).toEqual([
      ["a", { event: "probe", link: "a:to-b" }],
      ["a", { event: "compare", link: "a:to-b" }],
      ["a", { event: "look", place: { to: "undelivered", link: "a:to-b" } }],
    ]);
  });

  test("that overlaps another does nothing; the next minute's does", async () => {
    const { sent, tickAt } = await aBroker();
    const [first, second] = await Promise.all([tickAt(0), tickAt(0)]);
    expect([first, second].toSorted()).toEqual([0, 3]);
    expect(await tickAt(minute)).toBe(3);
    expect(sent).toHaveLength(6);
  });

  test("before the deployment wrote its configuration does nothing", async () => {
    const { ports } = dispatching([]);
    expect(await tick({ identity: ports.identity, brain: memoryBrain(), table: memoryBrain(), events: ports.events }, 0)).toBe(0);
  });

  test.for([
    { rule: "none that lives", at: 2 * minute, expired: [] },
    { rule: "one whose lease ran out", at: 3 * minute, expired: [{ event: "expire", connection: "conn" }] },
  ])("takes connections a phase further: $rule", async ({ at, expired }) => {
    const { brain, sent, tickAt } = await aBroker();
    const verdict = judgeConnection(undefined, { connection: connectionId("conn"), counter: 1, consumers: [], closed: false }, 0, 0);
    if (verdict.verdict === "accept") await brain.write("connection", "", "conn", verdict.record, 0);
    await tickAt(at);
    expect(told(sent, "expire")).toEqual(expired);
  });

  test("looks at queues, not at topics", async () => {
    const { brain, sent, tickAt } = await aBroker();
    for (const text of ["queue://x", "topic://y"]) await brain.write("view", "", text, aView(text, [localConsumers]), 0);
    await tickAt(0);
    expect(told(sent, "look")).toMatchObject([
      { place: { to: "queue", destination: { name: "x" } } },
      { place: { to: "undelivered", link: "a:to-b" } },
    ]);
  });

  test("leaves the tables as they are but for its lease", async () => {
    const { brain, tickAt } = await aBroker();
    const before = [...rowsOf(brain)];
    await tickAt(0);
    expect([...rowsOf(brain)].filter(([row]) => !row.startsWith("lease "))).toEqual(before);
  });
});
