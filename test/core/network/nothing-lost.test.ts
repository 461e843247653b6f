import fc from "fast-check";
import { expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { type SimulatedNetwork, simulate, standing } from "../../support/simulator/network.ts";
import { chain, networkOf, pair, ring } from "../../support/simulator/topologies.ts";

const minute = 60_000;
const queues = ["queue://orders.a", "queue://orders.b"] as const;

const coming = fc.record({
  do: fc.constant("come" as const),
  at: fc.constantFrom("a", "b", "c"),
  destination: fc.constantFrom(...queues, "queue://orders.>", "queue://orders.a,orders.b"),
  options: fc.record({ priority: fc.constantFrom(0, 5), prefetchSize: fc.constantFrom(1, 5) }, { requiredKeys: [] }),
});
const leaving = fc.record({ do: fc.constantFrom("close" as const, "fall silent" as const, "pause" as const), who: fc.nat() });
const sending = fc.record({
  do: fc.constantFrom("send" as const, "send directly" as const),
  at: fc.constantFrom("a", "b", "c"),
  destination: fc.constantFrom(...queues),
  count: fc.integer({ min: 1, max: 12 }),
});
const waiting = fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 0, max: 240 }) });
const history = fc.array(fc.oneof(coming, sending, leaving, waiting), { minLength: 4, maxLength: 14 });

type Step = fc.Arbitrary<unknown> extends never ? never : typeof history extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

const play = async (
  net: SimulatedNetwork,
  steps: readonly Step[],
): Promise<{ readonly sent: string[]; readonly clients: SimulatedClient[] }> => {
  const sent: string[] = [];
  const clients: SimulatedClient[] = [];
  for (const step of steps) {
    if (step.do === "come") {
      const client = net.connect(step.at);
      await client.consume(step.destination, step.options);
      clients.push(client);
    } else if (step.do === "wait") {
      await net.run(step.seconds * 1_000);
    } else if ("who" in step) {
      const client = clients[step.who % Math.max(1, clients.length)];
      if (step.do === "close") await client?.close();
      else if (step.do === "pause") client?.pause();
      else client?.goSilent();
    } else {
      const bodies = Array.from({ length: step.count }, (_, n) => `m${sent.length + n}`);
      sent.push(...bodies);
      if (step.do === "send") net.send(step.at, step.destination, bodies);
      else net.sendDirect(step.at, step.destination, bodies);
    }
  }
  return { sent, clients };
};

test("nothing is lost and nothing doubled, whoever comes and goes", async () => {
  const input = (ways: string, conduitSubscriptions: boolean) =>
    networkOf(
      ways,
      { networkTTL: 3, conduitSubscriptions },
      { brokers: Object.fromEntries(["a", "b", "c"].map((id) => [id, { queues: ["orders.a", "orders.b"] }])) },
    );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(`${pair}, b <-> c`, chain(3), ring(3)), fc.boolean(), history, async (ways, conduit, steps) => {
      const net = await simulate(input(ways, conduit));
      const { sent, clients } = await play(net, steps);
      await net.run(30 * minute);
      const received = clients.flatMap((client) => client.bodies());
      expect([...received, ...standing(net, "m")].toSorted()).toEqual(sent.toSorted());
      expect(net.problems()).toEqual([]);
    }),
    { numRuns: 15 },
  );
});
