import { beforeEach, expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import type { ControlPorts } from "../../../../core/broker/control/ports.ts";
import type { ControlEvent } from "../../../../core/broker/events.ts";
import { connectionId } from "../../../../core/ids.ts";
import type { ConsumerSpec } from "../../../../core/presence/presence.ts";
import { controlling } from "../../../support/controlling.ts";

const topic = "topic://prices";
const minute = 60_000;
const durable = { clientID: "client", subscriptionName: "sub" };

let world: Awaited<ReturnType<typeof controlling>>;
beforeEach(async () => {
  world = await controlling();
  await world.ports.resources.make({ make: "destination", destination: { kind: "topic", name: "prices" } });
  await world.brain.write("destination", "", topic, { destination: { kind: "topic", name: "prices" }, owner: "declared", madeAt: 0 }, 0);
  await control({ event: "deployed", version: 1 }, 0);
});
const control = (event: ControlEvent, now: number, ports: ControlPorts = world.ports) =>
  controlBatch(ports, [{ ref: "r", event, sentAt: now }], now);
const says = (counter: number, consumer: ConsumerSpec): ControlEvent => ({
  event: "connection",
  state: { connection: connectionId("x"), counter, consumers: [consumer], closed: false },
});

/** The table as whoever dies before he removes a queue leaves it, an hour ago. */
const restoredWhile = async (ends: ControlEvent, now: number): Promise<ControlPorts> => {
  const remove = () => Promise.reject(new Error("dies"));
  await control(ends, now, { ...world.ports, resources: { ...world.ports.resources, remove } });
  return { ...world.ports, table: { tableId: async () => "restored" } };
};

test.for([
  {
    rule: "an own queue was being removed",
    consumer: { id: "c1", destination: topic, priority: 0 },
    ends: { event: "expire", connection: "x" } as const,
  },
  {
    rule: "a durable subscription was being removed",
    consumer: { id: "d1", destination: topic, priority: 0, durable },
    ends: { event: "unsubscribe", durable, madeAt: 1_000 } as const,
  },
])("N05 a table that was backed up while $rule is taken up, and who had it has it", async ({ consumer, ends }) => {
  expect(await control(says(1, consumer), 1_000)).toMatchObject([{ verdict: "applied" }]);
  const late = 20 * minute; // no tick came since
  const ports = await restoredWhile(ends, late);
  const now = late + 60 * minute;
  expect(await control({ event: "deployed", version: 1 }, now, ports)).toMatchObject([{ verdict: "applied" }]);
  expect(await control(says(2, consumer), now + 1_000, ports)).toMatchObject([{ verdict: "applied" }]);
  const rows = (await world.brain.list("subscription", topic)).filter(({ value }) => value.target.to === "own-queue");
  expect(rows.map(({ value }) => value.state)).toEqual(["subscribed"]);
});
