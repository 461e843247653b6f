import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const topic = "topic://prices";
const minute = 60_000;

/** Messages that say of which kind they are, by property and by body; `size` counts them. */
const publish = (net: SimulatedNetwork, at: string, kind: string, count = 1): void => {
  for (let size = 0; size < count; size += 1)
    net.publish(at, topic, [`${kind}-${size}`], {
      timestamp: net.now(),
      properties: { kind: { type: "string", value: kind }, size: { type: "int", value: size } },
    });
};
const subscriber = async (net: SimulatedNetwork, at: string, selector?: string, to = topic): Promise<SimulatedClient> => {
  const client = net.connect(at);
  await client.consume(to, selector === undefined ? {} : { selector });
  await net.run();
  return client;
};
/** Neither `=` nor IN: no filter policy. */
const odd = "size - 2 * (size / 2) <> 0 OR kind = 'odd'";

describe("a topic's subscribers with selectors", () => {
  test("get what theirs takes, and their queues never hold anything else", async () => {
    const net = await simulate(networkOf(pair));
    const [x, like, all] = [
      await subscriber(net, "a", "kind LIKE '_' AND size + 1 > 1"),
      await subscriber(net, "a", "kind LIKE 'x%' ESCAPE '!'"),
      await subscriber(net, "a"),
    ];
    for (const kind of ["x", "xy"]) publish(net, "a", kind, 2);
    await net.run();
    expect([x, like, all].map((client) => client.bodies().toSorted())).toEqual([
      ["x-1"],
      ["x-0", "x-1", "xy-0", "xy-1"],
      ["x-0", "x-1", "xy-0", "xy-1"],
    ]);
    expect([x, like].flatMap(({ passedOver }) => passedOver)).toEqual([]);
  });

  test("beyond the twelve that dispatch serves choose for themselves, and keep what they have when others leave", async () => {
    const net = await simulate(networkOf(pair));
    const clients: SimulatedClient[] = [];
    for (let n = 0; n < 14; n += 1) clients.push(await subscriber(net, "a", `size + 0 = ${n}`));
    publish(net, "a", "x", 14);
    await net.run();
    const [first, ...others] = clients as [SimulatedClient, ...SimulatedClient[]];
    await first.close();
    await net.run(5 * minute);
    publish(net, "a", "y", 14);
    await net.run();
    expect(others.map((client) => client.bodies().toSorted())).toEqual(others.map((_, n) => [`x-${n + 1}`, `y-${n + 1}`]));
    expect(clients.map(({ passedOver }) => passedOver.length)).toEqual([...Array(12).fill(0), 27 - 1, 27 - 1]);
  });

  test("across a link: what nobody there takes is dropped on arrival and counted", async () => {
    const net = await simulate(networkOf("a -> b"));
    const there = await subscriber(net, "b", odd);
    publish(net, "a", "x", 4);
    await net.run();
    const reasons = net.broker("b").outcomes.flatMap(({ steps }) => steps.map(({ reason }) => reason));
    expect([there.bodies().toSorted(), there.passedOver]).toEqual([[], []]);
    expect(reasons.filter((reason) => reason === "crossed-in-vain")).toHaveLength(4);
  });

  test("a feed isn't subscribed to for nobody, and ends a minute after its last", async () => {
    const net = await simulate(networkOf(pair));
    const feeds = async () => (await net.broker("a").brain.list("subscription", topic)).filter(({ id }) => id === "feed").length;
    const plain = await subscriber(net, "a");
    const before = await feeds();
    const choosy = await subscriber(net, "a", odd);
    const during = await feeds();
    await choosy.close();
    await net.run(5 * minute);
    publish(net, "a", "odd");
    await net.run();
    expect([before, during, await feeds(), plain.bodies()]).toEqual([0, 1, 0, ["odd-0"]]);
  });

  test("by a pattern get what theirs takes of each topic", async () => {
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { topics: ["prices", "news"] } } }));
    const client = await subscriber(net, "a", odd, "topic://>");
    publish(net, "a", "odd");
    net.publish("a", "topic://news", bodies("odd", 1), { properties: { kind: { type: "string", value: "odd" } } });
    publish(net, "a", "even");
    await net.run();
    expect([client.bodies(), client.passedOver]).toEqual([["odd-0", "odd-0"], []]);
  });

  test("of a FIFO topic get what theirs takes, in order", async () => {
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { topics: ["prices.fifo"] }, b: { topics: ["prices.fifo"] } } }));
    const [here, there] = [await subscriber(net, "a", "JMSXGroupID LIKE 'g%'", `${topic}.fifo`), net.connect("b")];
    await there.consume(`${topic}.fifo`, { selector: "JMSXGroupID = 'h'" });
    await net.run();
    net.publishInOrder("a", `${topic}.fifo`, ["g-1", "h-1", "g-2", "h-2", "g-3"]);
    await net.run();
    expect([here.bodies(), there.bodies(), here.passedOver, there.passedOver]).toEqual([["g-1", "g-2", "g-3"], ["h-1", "h-2"], [], []]);
  });
});
