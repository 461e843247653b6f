import { beforeEach, describe, expect, test } from "vitest";
import { breakLink } from "../../../../core/broker/control/breakers.ts";
import { hearAnswer } from "../../../../core/broker/control/handshake.ts";
import type { BrokerItem } from "../../../../core/broker/records.ts";
import { sharedPart } from "../../../../core/config/slice.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { newLink } from "../../../../core/link/link.ts";
import { controlling } from "../../../support/controlling.ts";
import { aView } from "../../../support/dispatching.ts";

const link = linkId(brokerId("a"), "to-b");
const queue = "queue://orders";

let world: Awaited<ReturnType<typeof controlling>>;
beforeEach(async () => {
  world = await controlling();
  await world.brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1_000 }, 0);
  await world.brain.write("view", "", queue, aView(queue, [{ to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link }]), 0);
});

const broker = async (): Promise<BrokerItem> => {
  const stored = await world.brain.read("broker", "", "broker");
  if (!stored) throw new Error("the broker has no item");
  return stored.value;
};
const breakers = async () => (await broker()).breakers ?? [];
const revision = async () => (await world.brain.read("broker", "", "broker"))?.revision ?? 0;
/** The probe that left at `counter` crossed. */
const crosses = async (counter: number): Promise<void> => {
  const digest = world.ports.identity.hash(sharedPart(world.slice));
  await hearAnswer(world.ports, await broker(), { event: "hello-answer", link, counter, digest }, counter + 10);
};
const fails = async (at: number, brain = world.brain): Promise<void> => {
  await breakLink({ ...world.ports, brain }, await broker(), { event: "link-failed", link, at });
};
const looks = () => world.told().filter(({ event }) => event.event === "look");

test("a failure opens the breaker; the next probe that crosses closes it, and what rested is looked at", async () => {
  await fails(2_000);
  expect(await breakers()).toEqual([link]);
  world.told();
  await crosses(3_000);
  expect([await breakers(), looks().length > 0]).toEqual([[], true]);
});

describe("a probe that crosses while another invocation is still opening the breaker", () => {
  /** What happens before the broker item is written. */
  const before = (meanwhile: () => Promise<void>) => {
    let isFirst = true;
    const write: typeof world.brain.write = async (...asked) => {
      if (asked[0] === "broker" && isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return world.brain.write(...asked);
    };
    return { ...world.brain, write };
  };

  test.for([
    { rule: "the failure that opens it", repeated: false },
    { rule: "the same failure, told again", repeated: true },
  ])("leaves it open no longer than until the next one: $rule", async ({ repeated }) => {
    if (repeated) {
      await fails(2_000);
      await world.brain.write("broker", "", "broker", { ...(await broker()), breakers: [] }, await revision());
    }
    await fails(
      2_000,
      before(() => crosses(3_000)),
    );
    await crosses(4_000);
    expect(await breakers()).toEqual([]);
  });
});
