import fc from "fast-check";
import { expect, test } from "vitest";
import { bodies, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const orders = "queue://orders";
const minute = 60_000;
const brokers = { a: { queues: ["orders"] }, b: { queues: ["orders"] } };
const local = networkOf("a -> b", {}, { brokers: { ...brokers, a: { ...brokers.a, networkConnectors: [] } } });
const networked = networkOf("a -> b", {}, { brokers });
const removed = networkOf("a -> b", { removed: true }, { brokers });

/** When each configuration is deployed at a and at b, in ms since the one before. */
const pauses = fc.array(fc.integer({ min: 1, max: 5 * minute }), { minLength: 2, maxLength: 2 });

test("a queue that runs locally becomes networked and local again under load: no address changes, nothing is lost, nothing doubled", async () => {
  await fc.assert(
    fc.asyncProperty(pauses, pauses, fc.boolean(), async (there, back, isConsumedHere) => {
      const net = await simulate(local);
      const address = net.broker("a").where.queueOf({ to: "queue", destination: { kind: "queue", name: "orders" } }).arn;
      const here = net.connect("a");
      await here.consume(orders);
      const abroad = net.connect("b");
      await abroad.consume(orders);
      await net.run();
      const sent: string[] = [];
      const load = async (ms: number) => {
        for (let round = 0; round < 4; round += 1) {
          const [routed, direct] = [bodies(`routed${sent.length}`, 3), bodies(`direct${sent.length}`, 3)];
          net.send("a", orders, routed);
          net.sendDirect("a", orders, direct);
          sent.push(...routed, ...direct);
          await net.run(Math.ceil(ms / 4));
        }
      };
      const deploy = async (input: typeof local, [first = 1, second = 1]: readonly number[]) => {
        await load(first);
        expect(await net.redeploy("a", input)).toBeUndefined();
        await load(second);
        expect(await net.redeploy("b", input)).toBeUndefined();
      };
      await load(minute);
      expect([here.received.length, abroad.received.length]).toEqual([sent.length, 0]);
      if (!isConsumedHere) await here.close();
      await deploy(networked, there);
      await load(5 * minute);
      expect(abroad.received.length).toBeGreaterThan(0);
      await deploy(removed, back);
      await net.run(15 * minute);
      await load(minute);
      const crossed = abroad.received.length;
      await deploy(local, back);
      await load(5 * minute);
      expect(abroad.received.length).toBe(crossed);
      const last = net.connect("a");
      await last.consume(orders);
      await net.run(5 * minute);
      expect(net.broker("a").where.queueOf({ to: "queue", destination: { kind: "queue", name: "orders" } }).arn).toBe(address);
      expect([here, abroad, last].flatMap((client) => client.bodies()).toSorted()).toEqual(sent.toSorted());
      expect(net.problems()).toEqual([]);
    }),
    { numRuns: 10 },
  );
});
