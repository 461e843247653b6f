import { expect, test } from "vitest";
import { calm } from "../../support/simulator/disturbance.ts";
import { simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

test("an invocation of control has one clock, that jumps as a whole", async () => {
  const [now, ahead] = [{ true: () => 0 }, 40_000];
  const jumps = new Set<number>();
  const net = await simulate(networkOf(pair), {
    disturbance: {
      ...calm,
      skew: (work) => (work === "control" ? ahead : 0),
      control: (ports, about, others) => {
        jumps.add(ports.clock() - now.true());
        return calm.control(ports, about, others);
      },
    },
  });
  jumps.clear();
  now.true = net.now;
  await net.connect("a").consume("queue://orders");
  await net.run(120_000);
  expect([...jumps]).toEqual([ahead]);
});
