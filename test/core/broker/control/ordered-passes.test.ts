import { describe, expect, test } from "vitest";
import { withUnseen } from "../../../../core/broker/control/ordered-passes.ts";
import { closePass } from "../../../../core/broker/control/pass-results.ts";
import { orderPass } from "../../../../core/broker/control/passes.ts";
import { orderRedrive } from "../../../../core/broker/control/redrives.ts";
import type { PassResult } from "../../../../core/broker/events.ts";
import { newPassRecord } from "../../../../core/broker/reading.ts";
import type { PassRecord } from "../../../../core/broker/records.ts";
import { holdsSome, orderedShelter, placeKey, restingCounter } from "../../../../core/broker/resting.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { DrainedPlace } from "../../../../core/routing/plan.ts";
import type { Candidate } from "../../../../core/routing/view.ts";
import { aLinkFrom } from "../../../support/a-connector.ts";
import { controlling } from "../../../support/controlling.ts";
import { aView, localConsumers } from "../../../support/dispatching.ts";

const link = linkId(brokerId("a"), "to-b");
const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link };
const orders = { to: "queue", destination: destinationOf("queue://orders.fifo") } as const;
const standard = { to: "queue", destination: destinationOf("queue://orders") } as const;
const shelter = orderedShelter(link);

/** Control of broker a, whose links have an ordered way; every place holds `all`. */
const world = async ({
  all = 0,
  visible = 0,
  candidates = [toB],
}: {
  readonly all?: number;
  readonly visible?: number;
  readonly candidates?: readonly Candidate[];
} = {}) => {
  const { ports, brain, orders: passes, told } = await controlling();
  const depths = { visible: async () => visible, read: async () => ({ visible: 0, all }) };
  const broker = await brain.read("broker", "", "broker");
  if (!broker) throw new Error("no broker item");
  const { slice } = broker.value;
  const connectors = slice.connectors.map((one) => ({ ...one, fifo: true as const }));
  const change = (fields: object) =>
    brain.write("broker", "", "broker", { ...broker.value, slice: { ...slice, connectors }, ...fields }, 1);
  for (const place of [orders, standard]) await brain.write("view", "", placeKey(place), aView(placeKey(place), candidates), 0);
  const note = (place: DrainedPlace, fields: Partial<PassRecord>) =>
    brain.write("pass", "", placeKey(place), { ...newPassRecord, ...fields }, 0);
  return { ports: { ...ports, depths }, brain, passes, told, change, note };
};
const result = (place: DrainedPlace, fields: Partial<PassResult> = {}): PassResult => ({
  place,
  pass: "",
  counter: 3,
  viewRevision: 1,
  moved: 0,
  renewed: 0,
  left: 0,
  complete: true,
  ...fields,
});

describe("a round of a FIFO queue that found nothing", () => {
  test.for([
    { rule: "has left nothing if the queue is empty", place: orders, all: 0, left: 0 },
    { rule: "has left what is in flight, and is due again in a minute", place: orders, all: 2, left: 2, dueAt: 60_000 },
    { rule: "and moved something is due again soon: the figure may lag", place: orders, moved: 4, all: 2, left: 2, dueAt: 10_000 },
    { rule: "and held some back has left those behind them, too", place: orders, found: 2, all: 9, left: 9 },
    { rule: "has left nothing that local consumers have", place: orders, candidates: [localConsumers, toB], all: 2, left: 0 },
    { rule: "but wasn't complete says nothing", place: orders, complete: false, all: 2, left: 0 },
    { rule: "in a link's shelter counts likewise", place: shelter, all: 2, left: 2, dueAt: 60_000 },
    { rule: "of a standard queue has seen what there is", place: standard, all: 2, left: 0 },
  ])("$rule", async ({ place, all, candidates, found = 0, moved = 0, complete = true, left, dueAt }) => {
    const { ports } = await world({ all, ...(candidates && { candidates }) });
    const seen = await withUnseen(ports, result(place, { left: found, moved, complete }), 0);
    expect([seen.left, seen.dueAt]).toEqual([left, dueAt]);
  });
});

test("a pass whose target refused the first it was handed is due again, though it wasn't complete and no breaker opened", async () => {
  const { ports, brain, note, told } = await world();
  await note(orders, { pass: "p", round: { counter: 3, viewRevision: 1, left: 1 } });
  await closePass(ports, result(orders, { pass: "p", complete: false, refused: true, left: 1, dueAt: 10_000 }), 0);
  expect((await brain.read("pass", "", placeKey(orders)))?.value.dueAt).toBe(10_000);
  expect(told()).toMatchObject([{ event: { event: "look", place: orders }, delaySeconds: 10 }]);
});

describe("a place holds somebody back", () => {
  test.for([
    { rule: "not when nothing was ever put there", marks: 0, round: undefined, holds: false },
    { rule: "as soon as something was", marks: 1, round: undefined, holds: true },
    { rule: "not when a full round has seen all of it and left nothing", marks: 2, round: { counter: 2, left: 0 }, holds: false },
    { rule: "when more came since", marks: 3, round: { counter: 2, left: 0 }, holds: true },
    { rule: "when the round left something", marks: 2, round: { counter: 2, left: 1 }, holds: true },
  ])("$rule", async ({ marks, round, holds }) => {
    const { brain, note } = await world();
    await brain.add(restingCounter(shelter), marks);
    if (round) await note(shelter, { round: { viewRevision: 0, ...round } });
    expect(await holdsSome({ brain, counters: brain }, shelter)).toBe(holds);
  });
});

describe("what waits for a link in order", () => {
  test.for([
    { rule: "goes when something does", marks: 1, breakers: [], passes: 1 },
    { rule: "isn't looked for when nothing does", marks: 0, breakers: [], passes: 0 },
    { rule: "goes when somebody died before he could mark what he had put there", marks: 0, visible: 1, breakers: [], passes: 1 },
    { rule: "stays while the breaker is open", marks: 1, visible: 1, breakers: [link], passes: 0 },
    { rule: "stays while the link is stopped", marks: 1, visible: 1, breakers: [], connector: { autoStart: false }, passes: 0 },
    { rule: "goes when it shall be taken away", marks: 1, breakers: [], connector: { removed: true }, passes: 1 },
  ])("$rule", async ({ marks, visible = 0, breakers, connector = {}, passes: expected }) => {
    const { ports, brain, passes, change } = await world({ visible });
    await change({ breakers });
    await brain.add(restingCounter(shelter), marks);
    await orderRedrive(ports, aLinkFrom("a", "b", { fifo: true, ...connector }), undefined, 0);
    expect(passes.map(({ place, counter }) => [place, counter])).toEqual(Array(expected).fill([shelter, marks]));
  });

  test("lets the queues behind it be looked at once it has gone, and no others", async () => {
    const { ports, note, told } = await world();
    await note(shelter, { pass: "p" });
    await closePass(ports, result(shelter, { pass: "p", counter: 0 }), 0);
    expect(told().map(({ event }) => event)).toEqual([{ event: "look", place: orders }]);
  });

  test.for([
    { rule: "holds back what a round left behind it", place: orders, marks: 1, passes: 0 },
    { rule: "lets it go when it is empty", place: orders, marks: 0, passes: 1 },
    { rule: "is nothing to a standard queue", place: standard, marks: 1, passes: 1 },
  ])("$rule", async ({ place, marks, passes: expected }) => {
    const { ports, brain, note, passes } = await world();
    await brain.add(restingCounter(shelter), marks);
    const viewRevision = (await brain.read("view", "", placeKey(place)))?.revision ?? 0;
    await note(place, { round: { counter: 0, viewRevision, left: 2, behind: [link] } });
    await orderPass(ports, place, 0);
    expect(passes).toHaveLength(expected);
  });
});
