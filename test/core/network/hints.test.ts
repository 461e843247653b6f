import { describe, expect, test } from "vitest";
import { simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const queue = "queue://o.new";

describe("demand arrives", () => {
  test.for([
    { rule: "within a second by its hint", seconds: 1, includes: [], demand: 1 },
    { rule: "by the hint of a destination that the connector includes", seconds: 1, includes: ["queue://o.>"], demand: 1 },
    { rule: "never for one that it doesn't include", seconds: 300, includes: ["queue://p"], demand: 0 },
  ])("$rule", async ({ seconds, includes, demand }) => {
    const net = await simulate(networkOf("a -> b", { dynamicallyIncludedDestinations: includes }));
    await net.connect("b").consume(queue);
    await net.run(seconds * 1_000);
    expect(await net.linkCandidates("a", queue)).toHaveLength(demand);
  });

  test("within a minute where the hint was lost: the tick sees the bucket differ", async () => {
    const net = await simulate(networkOf("a -> b"));
    net.cut("b");
    await net.connect("b").consume(queue);
    await net.run(1_000);
    net.heal("b");
    await net.run(1_000);
    expect(await net.linkCandidates("a", queue)).toEqual([]);
    await net.run(60_000);
    expect(await net.linkCandidates("a", queue)).toHaveLength(1);
  });
});
