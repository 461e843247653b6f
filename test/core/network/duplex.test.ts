import fc from "fast-check";
import { expect, test } from "vitest";
import type { NetworkInput } from "../../../core/config/define-network.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { someConnector } from "../config/some-network.ts";

type Connectors = NonNullable<NetworkInput["brokers"][string]["networkConnectors"]>;
const destinations = ["queue://orders.new", "queue://other", "topic://prices"] as const;

const step = fc.oneof(
  fc.record({
    does: fc.constant("consume" as const),
    at: fc.constantFrom("a", "b"),
    destination: fc.constantFrom(...destinations),
    priority: fc.integer({ min: 0, max: 1 }),
    isDurable: fc.boolean(),
  }),
  fc.record({ does: fc.constant("close" as const), which: fc.nat() }),
  fc.record({ does: fc.constant("send" as const), at: fc.constantFrom("a", "b"), destination: fc.constantFrom(...destinations) }),
  fc.record({ does: fc.constant("command" as const), at: fc.constantFrom("a", "b"), run: fc.constantFrom("start", "stop") }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const between = (here: Connectors, there: Connectors): NetworkInput => ({
  network: "test",
  brokers: { a: { region: "eu-west-1", networkConnectors: here }, b: { region: "eu-west-1", networkConnectors: there } },
});

const take = async (net: SimulatedNetwork, clients: SimulatedClient[], one: Step, index: number): Promise<void> => {
  switch (one.does) {
    case "consume": {
      const client = net.connect(one.at);
      clients.push(client);
      const durable = one.isDurable && one.destination.startsWith("topic") && { clientID: `client-${index}`, subscriptionName: "s" };
      await client.consume(one.destination, { priority: one.priority, ...(durable && { durable }) });
      return;
    }
    case "close":
      await clients[one.which % Math.max(1, clients.length)]?.close();
      return;
    case "send":
      return net.send(one.at, one.destination, bodies(`m${index}`, 6));
    case "command":
      return net.command(one.at, "link", one.run);
    default:
      return one satisfies never;
  }
};

/** All that a history comes to: what each client got, what crossed, and which demand and messages are left. */
const played = async (input: NetworkInput, history: readonly Step[]) => {
  const net = await simulate(input);
  const clients: SimulatedClient[] = [];
  for (const [index, one] of history.entries()) {
    await take(net, clients, one, index);
    await net.run(100_000);
  }
  const left = destinations.flatMap((key) => ["a", "b"].map(async (at) => [await net.linkCandidates(at, key), net.depth(at, key)]));
  return {
    received: clients.map((client) => client.bodies()),
    crossed: [net.crossings("a", "b"), net.crossings("b", "a")],
    left: await Promise.all(left),
    problems: net.problems(),
  };
};

test("DUP-2 a duplex connector is two one-way connectors, whatever it says and whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(someConnector, fc.array(step, { minLength: 2, maxLength: 8 }), async (settings, history) => {
      const connector = { ...settings, name: "link" } as Omit<Connectors[number], "to">;
      const duplex = await played(between([{ ...connector, to: "b", duplex: true }], []), history);
      expect(duplex).toEqual(await played(between([{ ...connector, to: "b" }], [{ ...connector, to: "a" }]), history));
      expect(duplex.problems).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
