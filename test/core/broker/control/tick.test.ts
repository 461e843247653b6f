import { describe, expect, test } from "vitest";
import { tick } from "../../../../core/broker/control/tick.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import { connectionId } from "../../../../core/ids.ts";
import type { OutgoingEvent } from "../../../../core/ports.ts";
import { judgeConnection } from "../../../../core/presence/connection.ts";
import type { Candidate } from "../../../../core/routing/view.ts";
import { aView, dispatching, localConsumers } from "../../../support/dispatching.ts";
import { memoryBrain } from "../../../support/memory/brain.ts";
import { withRows } from "../../../support/simulator/rows.ts";

const minute = 60_000;

/** Broker a of a pair with what its table holds, and what a tick told. */
const aBroker = async () => {
  const { ports, slice } = dispatching([]);
  const brain = withRows(memoryBrain());
  const sent: OutgoingEvent[] = [];
  await brain.write("broker", "", "broker", { slice, version: 1, keys: [], peerKeys: {} }, 0);
  const events = {
    send: async (told: readonly OutgoingEvent[]) => {
      sent.push(...told);
      return { dropped: 0 };
    },
  };
  return { brain, sent, tickAt: (now: number) => tick({ identity: ports.identity, brain, events }, now) };
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
    ]);
  });

  test("that overlaps another does nothing; the next minute's does", async () => {
    const { sent, tickAt } = await aBroker();
    const [first, second] = await Promise.all([tickAt(0), tickAt(0)]);
    expect([first, second].toSorted()).toEqual([0, 2]);
    expect(await tickAt(minute)).toBe(2);
    expect(sent).toHaveLength(4);
  });

  test("before the deployment wrote its configuration does nothing", async () => {
    const { ports } = dispatching([]);
    expect(await tick({ identity: ports.identity, brain: memoryBrain(), events: ports.events }, 0)).toBe(0);
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

  const mine: Candidate = { to: "private", id: "private:x/1", priority: 0, weight: 1, capacity: 1, queue: "x.1" };
  test.for([
    { rule: "not at one that only its own consumers serve", view: aView("queue://x", [localConsumers]), looks: 0 },
    { rule: "at one that somebody else would take from", view: aView("queue://x", [localConsumers, mine]), looks: 1 },
    { rule: "not at a topic", view: aView("topic://x", [mine]), looks: 0 },
  ])("looks at queues: $rule", async ({ view, looks }) => {
    const { brain, sent, tickAt } = await aBroker();
    await brain.write("view", "", `${view.destination.kind}://x`, view, 0);
    await tickAt(0);
    expect(told(sent, "look")).toHaveLength(looks);
  });

  test("leaves the tables as they are but for its lease", async () => {
    const { brain, tickAt } = await aBroker();
    const before = [...brain.rows];
    await tickAt(0);
    expect([...brain.rows].filter(([row]) => !row.startsWith("lease "))).toEqual(before);
  });
});
