import { beforeEach, describe, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import { connectionId } from "../../../../core/ids.ts";
import { controlling } from "../../../support/controlling.ts";
import type { MemoryBrain } from "../../../support/memory/brain.ts";

const queue = "queue://orders";
const minute = 60_000;
const said = (counter: number, ids: readonly string[], closed = false) => ({
  event: "connection" as const,
  state: {
    connection: connectionId("x"),
    counter,
    consumers: ids.map((id) => ({ id, destination: queue, priority: 0 })),
    closed,
  },
});

let world: Awaited<ReturnType<typeof controlling>>;
beforeEach(async () => {
  world = await controlling();
});

const control = (event: ReturnType<typeof said> | { event: "expire"; connection: string }, now = 0, brain: MemoryBrain = world.brain) =>
  controlBatch({ ...world.ports, brain }, [{ ref: "r", event, sentAt: now }], now);
const present = async () => (await world.brain.list("presence", queue)).map(({ value: { holder } }) => holder);
const candidates = async () => (await world.brain.read("view", "", queue))?.value.candidates.length ?? 0;
/** Something happens before the invocation comes to the first presence. */
const interrupted = (meanwhile: () => Promise<unknown>): MemoryBrain => {
  let isFirst = true;
  const read: MemoryBrain["read"] = async (...asked) => {
    if (asked[0] === "presence" && isFirst) {
      isFirst = false;
      await meanwhile();
    }
    return world.brain.read(...asked);
  };
  return { ...world.brain, read };
};

describe("an invocation that is overtaken by what its connection said later", () => {
  test.for([
    { rule: "that a consumer left", later: said(2, []), left: 0 },
    { rule: "that it is closed", later: said(2, ["c1"], true), left: 0 },
    { rule: "that another consumer came", later: said(2, ["c1", "c2"]), left: 2 },
  ])("leaves nobody there who isn't: $rule", async ({ later, left }) => {
    await control(
      said(1, ["c1"]),
      0,
      interrupted(() => control(later)),
    );
    await control(said(1, ["c1"])); // it comes again
    expect([(await present()).length, await candidates()]).toEqual([left, left === 0 ? 0 : 1]);
  });

  test("nor when it only renews what was said", async () => {
    await control(said(1, ["c1"]));
    const renewing = interrupted(() => control(said(3, [])));
    const [outcome] = await control(said(2, ["c1"]), 0, renewing);
    expect(outcome).toMatchObject({ verdict: "again", contended: true });
    await control(said(2, ["c1"]));
    expect([await present(), await candidates()]).toEqual([[], 0]);
  });
});

test("a client that wakes while it is given up keeps its consumers", async () => {
  await control(said(1, ["c1"]));
  const late = 20 * minute;
  const waking = interrupted(() => control(said(2, ["c1"]), late));
  const expire = { event: "expire", connection: "x" } as const;
  await control(expire, late, waking);
  await control(expire, late);
  expect([await present(), await candidates()]).toEqual([["x/c1"], 1]);
});
