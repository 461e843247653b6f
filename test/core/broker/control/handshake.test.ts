import { expect, test } from "vitest";
import { controlBatch } from "../../../../core/broker/control/control.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { controlling } from "../../../support/controlling.ts";

const [toB, fromB] = [linkId(brokerId("a"), "to-b"), linkId(brokerId("b"), "to-a")];

test("a peer that says hello often, as over many links at once, is probed back once in five seconds, however long the probe waits its turn", async () => {
  const { ports, told } = await controlling();
  const probesAfter = async (counter: number): Promise<number> => {
    const hello = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter };
    await controlBatch(ports, [{ ref: "r", event: { event: "hello", hello }, sentAt: counter }], counter);
    return told().filter(({ event }) => event.event === "probe" && event.link === toB).length;
  };
  const probes: number[] = [];
  for (const counter of [10_000, 10_001, 14_999, 15_000]) probes.push(await probesAfter(counter));
  expect(probes).toEqual([1, 0, 0, 1]);
});
