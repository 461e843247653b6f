import { describe, expect, test } from "vitest";
import { type MaterialisePorts, materialise, sendHints } from "../../../../core/broker/control/announcing.ts";
import { bucketOf } from "../../../../core/demand/publish.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { aGroup } from "../../../support/a-connector.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

const queue = "queue://o.new";
const bucket = bucketOf(queue, sha256);
const all = ["ActiveMQ.Advisory.Consumer.>"];
const wanted = [aGroup("", { origin: "a" })];

/** Judged by what stands in the table now. */
const materialised = async (ports: MaterialisePorts, groups: Parameters<typeof materialise>[3], now: number) =>
  materialise(ports, queue, await ports.brain.read("demand", bucket, queue), groups, now);

/** Control of a after brokers said hello, each with what it listens to. */
const heard = async (filters: Readonly<Record<string, readonly string[]>>) => {
  const world = await controlling();
  for (const [from, advisoryFilter] of Object.entries(filters)) {
    const link = linkId(brokerId(from), "to-a");
    const hello = { link, from: brokerId(from), to: brokerId("a"), digest: "d", advisoryFilter, keys: [], counter: 1 };
    await world.brain.write("hello", "", link, { hello, heardAt: 0 }, 0);
  }
  return world;
};

describe("hints go", () => {
  test.for([
    { rule: "to a peer that listens to everything", filters: { b: all }, to: ["b"] },
    { rule: "to one that listens to the destination", filters: { b: ["ActiveMQ.Advisory.Consumer.Queue.o.>"] }, to: ["b"] },
    { rule: "not to one that listens to others", filters: { b: ["ActiveMQ.Advisory.Consumer.Queue.p"], c: all }, to: ["c"] },
    { rule: "not to one that listens to nothing", filters: { b: [] }, to: [] },
    { rule: "to nobody before a hello", filters: {}, to: [] },
  ])("$rule", async ({ filters, to }) => {
    const { ports, told } = await heard(filters);
    const demand = await materialised(ports, wanted, 50);
    if (demand) await sendHints(ports, demand);
    expect(told()).toEqual(to.map((peer) => ({ to: peer, event: { event: "hint", from: "a", destination: queue, version: 50 } })));
  });
});

describe("demand is announced", () => {
  test("once: the item, its bucket's version, then the hints", async () => {
    const { ports, brain } = await heard({ b: all });
    const demand = await materialised(ports, wanted, 50);
    expect((await brain.read("root", "", "root"))?.value.buckets).toEqual({ [bucket]: 1 });
    if (demand) await sendHints(ports, demand);
    expect(await materialised(ports, wanted, 60)).toBeUndefined();
    expect((await brain.read("root", "", "root"))?.value.buckets).toEqual({ [bucket]: 1 });
  });

  test("again, if it died before its hints were known to be out", async () => {
    const { ports, brain } = await heard({ b: all });
    await materialised(ports, wanted, 50);
    expect(await materialised(ports, wanted, 60)).toMatchObject({ version: 50 });
    expect((await brain.read("root", "", "root"))?.value.buckets).toEqual({ [bucket]: 2 });
  });

  test("not at all where nothing was ever wanted", async () => {
    const { ports, brain } = await heard({ b: all });
    expect(await materialised(ports, [], 50)).toBeUndefined();
    expect(await brain.list("demand", bucket)).toEqual([]);
  });

  test("a day after it was withdrawn nothing of it is left", async () => {
    const { ports, brain } = await heard({});
    for (const groups of [wanted, []]) {
      const demand = await materialised(ports, groups, 50);
      if (demand) await sendHints(ports, demand);
    }
    await materialised(ports, [], 60 + 24 * 3_600_000);
    expect(await brain.list("demand", bucket)).toEqual([]);
  });
});
