import { describe, expect, test } from "vitest";
import { presenceId, presenceScope } from "../../../../core/broker/control/facts.ts";
import { judgeDestination } from "../../../../core/broker/control/judge.ts";
import { readHint } from "../../../../core/broker/control/learning.ts";
import { bucketOf, withBucketBumped } from "../../../../core/demand/publish.ts";
import { type BrokerId, brokerId, linkId } from "../../../../core/ids.ts";
import { newLink } from "../../../../core/link/link.ts";
import type { Resources, Subscriptions } from "../../../../core/ports.ts";
import { aGroup, aLinkFrom } from "../../../support/a-connector.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";
import { memoryBrain, peerDemandOf } from "../../../support/memory/brain.ts";

const [b, c] = [brokerId("b"), brokerId("c")];

/** Broker a, of whose peers b and c each wants the destination, and what AWS refuses it. */
const wantedAbroad = async (destination: string) => {
  const world = await controlling();
  const { brain, slice } = world;
  const broker = { ...world.broker, slice: { ...slice, connectors: [...slice.connectors, aLinkFrom("a", "c")] } };
  const bucket = bucketOf(destination, sha256);
  const theirs = new Map([b, c].map((to) => [to, memoryBrain(`table-${to}`)]));
  for (const [to, table] of theirs) {
    const groups = [aGroup("", { origin: to })];
    await table.write("demand", bucket, destination, { destination, version: 1, groups, announced: 1 }, 0);
    await table.write("root", "", "root", withBucketBumped(undefined, bucket, `table-${to}`), 0);
    const link = linkId(brokerId("a"), `to-${to}`);
    await brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1 }, 0);
  }
  const refused = new Set<string>();
  const unlessRefused = (what: string): void => {
    if (refused.has(what)) throw new Error("Rate exceeded");
  };
  const resources: Resources = {
    ...world.ports.resources,
    make: async (made) => {
      unlessRefused(made.make);
      await world.ports.resources.make(made);
    },
  };
  const subscriptions: Subscriptions = {
    ...world.ports.subscriptions,
    subscribe: async ({ name }, target) => {
      if (target.to === "link") unlessRefused(target.link);
      return { arn: `${name} ${target.to}` };
    },
    filter: async () => {},
  };
  const ports = { ...world.ports, resources, subscriptions, peers: peerDemandOf(theirs) };
  const hint = (from: BrokerId) => readHint(ports, broker, { event: "hint", from, destination, version: 1 });
  const isJudgedAgain = async (from: BrokerId): Promise<boolean> => (await hint(from)).destinations.includes(destination);
  for (const from of [b, c]) await hint(from);
  world.told();
  return { ...world, refused, judge: (now: number) => judgeDestination(ports, broker, destination, false, now), isJudgedAgain };
};

describe("while something of a destination couldn't be made", () => {
  test("the hint of who was told of his demand is judged again, until all is there", async () => {
    const queue = "queue://orders";
    const { brain, refused, judge, isJudgedAgain } = await wantedAbroad(queue);
    const choosy = { destination: queue, holder: "conn/c1", priority: 0, count: 1, ownQueue: "conn.c1", leaseUntil: 90_000 };
    await brain.write("presence", presenceScope(queue), presenceId(choosy), choosy, 0);
    refused.add("own-queue");
    for (const now of [0, 60_000]) {
      await expect(judge(now)).rejects.toThrow("Rate exceeded");
      expect(await isJudgedAgain(b)).toBe(true);
    }
    refused.clear();
    for (const now of [61_000, 80_000]) await judge(now);
    expect(await isJudgedAgain(b)).toBe(false);
  });

  test("peers whose own demand is in effect are told so, and no look is ordered: the event comes again", async () => {
    const { refused, judge, told, isJudgedAgain } = await wantedAbroad("topic://prices");
    refused.add("a:to-c");
    for (const now of [0, 60_000]) await expect(judge(now)).rejects.toThrow("Rate exceeded");
    const events = told().filter(({ event }) => event.event !== "hint");
    expect(events).toMatchObject([{ to: b, event: { event: "effective", link: "a:to-b", version: 1 } }]);
    refused.clear();
    for (const now of [61_000, 80_000]) await judge(now);
    const toC = told().filter(({ to }) => to === c);
    expect(toC).toMatchObject([{ event: { event: "effective", link: "a:to-c", version: 1 } }]);
    expect([await isJudgedAgain(b), await isJudgedAgain(c)]).toEqual([false, false]);
  });
});
