import { describe, expect, test } from "vitest";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, networkOf, pair } from "../../support/simulator/topologies.ts";

const queue = "queue://orders.fifo";
const topic = "topic://prices.fifo";
const declared = { queues: ["orders.fifo"], topics: ["prices.fifo"] };

const network = (ways = pair, connector: Connector = {}): Promise<SimulatedNetwork> => {
  const brokers = Object.fromEntries(["a", "b", "c"].filter((id) => ways.includes(id)).map((id) => [id, declared]));
  return simulate(networkOf(ways, connector, { brokers }));
};
const readerAt = async (net: SimulatedNetwork, at: string, destination: string) => {
  const reader = net.connect(at);
  await reader.consume(destination);
  await net.run();
  return reader;
};

describe("messages of a FIFO destination", () => {
  test.for([
    { way: "one hop", ways: pair, end: "b" },
    { way: "two hops", ways: chain(3), end: "c" },
  ])("keep their order over $way, by a queue and by a topic", async ({ ways, end }) => {
    for (const destination of [queue, topic]) {
      const net = await network(ways, { networkTTL: 2 });
      const reader = await readerAt(net, end, destination);
      net.sendInOrder("a", destination, bodies("g", 25));
      await net.run();
      expect(reader.bodies()).toEqual(bodies("g", 25));
      expect(reader.received.map(({ message: { groupId } }) => groupId)).toEqual(Array(25).fill("g"));
      expect(net.problems()).toEqual([]);
    }
  });
});
