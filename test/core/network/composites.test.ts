import { describe, expect, test } from "vitest";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";
import { dyingOnce } from "./dying.ts";

const minute = 60_000;
const both = "queue://east,queue://west";
const five = bodies("m", 5);

/** A composite's parts are consumed each at another peer of a. */
const network = async (ways = "a <-> b, a <-> c", west = "c") => {
  const net = await simulate(networkOf(ways));
  const readers = { east: net.connect("b"), west: net.connect(west) };
  await readers.east.consume("queue://east");
  await readers.west.consume("queue://west");
  await net.run();
  return { net, got: () => [readers.east.bodies().toSorted(), readers.west.bodies().toSorted()] };
};
const healed = async (net: SimulatedNetwork) => {
  net.hush("a", "b");
  net.heal("a", "b");
  await net.run(15 * minute);
};

describe("a message to a composite of two queues", () => {
  test("whose consumers are at two peers reaches both", async () => {
    const { net, got } = await network();
    net.send("a", both, five);
    await net.run();
    expect(got()).toEqual([five, five]);
  });

  test("whose consumers are behind the same link reaches both", async () => {
    const { net, got } = await network("a <-> b", "b");
    net.send("a", both, five);
    await net.run();
    expect(got()).toEqual([five, five]);
  });

  test.for(["refuses", "hangs", "accepts and says nothing"] as const)(
    "reaches both once, though one of the peers %s for a while; the other doesn't wait for it",
    async (how) => {
      const { net, got } = await network();
      if (how === "refuses") net.cut("a", "b");
      else net.hush("a", "b", how);
      net.send("a", both, five);
      await net.run(1_000);
      expect(got()[1]).toEqual(five);
      await healed(net);
      expect(got()).toEqual([five, five]);
    },
  );

  test("reaches both once, though dispatch died when it had handed over", async () => {
    const { net, got } = await network();
    const died = dyingOnce(net, "a", ({ target }) => target.to === "link");
    net.send("a", both, five);
    await expect(net.run()).rejects.toThrow("died");
    await net.run(15 * minute);
    expect([died(), got()]).toEqual([1, [five, five]]);
  });
});
