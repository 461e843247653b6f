import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { linksWithDemand } from "../../support/simulator/durables.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";
import { subscriptionsOn } from "./scenario.ts";

const topic = "topic://TEST.FOO";

const publish = async (net: SimulatedNetwork, texts: readonly string[], name: string, value: string | number) => {
  const property = typeof value === "string" ? { type: "string" as const, value } : { type: "int" as const, value };
  net.send("a", topic, texts, { properties: { [name]: property } });
  await net.run();
};

test.for([true, false])("B2 selectors over two hops: each gets what its own takes, dynamicOnly %s", async (dynamicOnly) => {
  const net = await simulate(networkOf("a -> b, b -> c", { networkTTL: 2, dynamicOnly }));
  const clients = [];
  for (const selector of ["value = 33", "value > 30", "value = 34"]) {
    const client = net.connect("c");
    await client.consume(topic, { selector });
    clients.push(client);
  }
  await net.run();
  await publish(net, bodies("low", 100), "value", 33);
  await publish(net, bodies("high", 200), "value", 34);
  expect(clients.map(({ received }) => received.length)).toEqual([100, 300, 200]);
});

test.for([true, false])("B25 twenty with one of two selectors get their half once each, conduitSubscriptions %s", async (conduit) => {
  const net = await simulate(networkOf("a -> b", { conduitSubscriptions: conduit }));
  const clients = Array.from({ length: 20 }, () => net.connect("b"));
  for (const [n, client] of clients.entries()) await client.consume(topic, { selector: `colour = '${n % 2 ? "red" : "blue"}'` });
  await net.run();
  for (const colour of ["red", "blue"]) await publish(net, bodies(colour, 25), "colour", colour);
  expect(clients.map((client) => client.bodies().toSorted())).toEqual(clients.map((_, n) => bodies(n % 2 ? "red" : "blue", 25).toSorted()));
  const subscribed = net.cloud.topics.subscriptions(net.broker("a").where.topicOf(destinationOf(topic)).arn);
  expect([subscribed.length, net.crossings("a", "b")]).toEqual([1, 50]);
});

describe("B24 a hundred subscriptions that come and go leave none at the peer", () => {
  test.for(["closed", "with its connection", "silent"] as const)("%s", async (end) => {
    const net = await simulate(networkOf(pair));
    for (let n = 0; n < 100; n += 1) {
      const client = net.connect("b");
      const consumer = await client.consume(topic);
      await net.run(n % 10 === 0 ? 2_000 : 0);
      if (end === "closed") await client.drop(consumer);
      if (end === "silent") client.goSilent();
      else if (n % 2 === 0) await client.close();
      if (end === "with its connection") await client.close();
    }
    await net.run(2 * 3_600_000);
    expect([await linksWithDemand(net, "a", topic), await net.broker("b").brain.list("presence", topic)]).toEqual([[], []]);
    expect(net.problems()).toEqual([]);
  });
});

test("C15 two composite topic consumers are one subscription per topic at the peer, and both get what is sent to each", async () => {
  const topics = ["topic://test.one", "topic://test.two"];
  const net = await simulate(networkOf(pair));
  const clients = [net.connect("b"), net.connect("b")];
  for (const client of clients) await client.consume("topic://test.one,test.two");
  await net.run();
  expect(await Promise.all(topics.map((name) => subscriptionsOn(net, "a", name)))).toEqual([1, 1]);
  for (const name of topics) net.send("a", name, [name]);
  await net.run();
  expect(clients.map((client) => client.bodies().toSorted())).toEqual([topics, topics]);
});
