import { expect, test } from "vitest";
import { presenceId, presenceScope } from "../../../../core/broker/control/facts.ts";
import { judgeDestination } from "../../../../core/broker/control/judge.ts";
import { readHint } from "../../../../core/broker/control/learning.ts";
import { bucketOf, withBucketBumped } from "../../../../core/demand/publish.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { newLink } from "../../../../core/link/link.ts";
import { aGroup } from "../../../support/a-connector.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

test("a peer isn't told of its demand while something couldn't be made: its hint is judged again until all is there", async () => {
  const { ports, broker, brain, theirs } = await controlling();
  const [queue, link] = ["queue://orders", linkId(brokerId("a"), "to-b")];
  await brain.write("link", "", link, { ...newLink(link), state: "started", answeredAt: 1 }, 0);
  const groups = [aGroup("", { origin: "b" })];
  await theirs.write("demand", bucketOf(queue, sha256), queue, { destination: queue, version: 1, groups, announced: 1 }, 0);
  await theirs.write("root", "", "root", withBucketBumped(undefined, bucketOf(queue, sha256), "table-b"), 0);
  const choosy = { destination: queue, holder: "conn/c1", priority: 0, count: 1, ownQueue: "conn.c1", leaseUntil: 90_000 };
  await brain.write("presence", presenceScope(queue), presenceId(choosy), choosy, 0);
  const hint = () => readHint(ports, broker, { event: "hint", from: brokerId("b"), destination: queue, version: 1 });
  const isJudgedAgain = async () => (await hint()).destinations.includes(queue);
  const judged = (now: number, failing: boolean) => {
    const make: typeof ports.resources.make = async (made) => {
      if (failing && made.make === "own-queue") throw new Error("Rate exceeded");
      await ports.resources.make(made);
    };
    return judgeDestination({ ...ports, resources: { ...ports.resources, make } }, broker, queue, false, now);
  };

  await hint();
  for (const now of [0, 60_000]) {
    await expect(judged(now, true)).rejects.toThrow("Rate exceeded");
    expect(await isJudgedAgain()).toBe(true);
  }
  for (const now of [61_000, 80_000]) await judged(now, false);
  expect(await isJudgedAgain()).toBe(false);
});
