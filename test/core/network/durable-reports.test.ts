import { describe, expect, test } from "vitest";
import { linksWithDemand, sendAndRun, subscribeDurable, unsubscribeDurable } from "../../support/simulator/durables.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf, type Particulars } from "../../support/simulator/topologies.ts";

const topic = "topic://TOPIC.A";
const other = "topic://TOPIC.B";
const minute = 60_000;
const away = async (net: SimulatedNetwork, at: string, destination = topic, clientID = `client-${at}`) =>
  (await subscribeDurable(net, at, destination, clientID)).close();
const subscribedOf = (net: SimulatedNetwork, at: string, destination: string) =>
  net.cloud.topics.subscriptions(net.broker(at).where.topicOf({ kind: "topic", name: destination.replace("topic://", "") }).arn).length;

describe("N03 after the link was down and up a durable subscription gets what is published", () => {
  const deploy = async (net: SimulatedNetwork, connector: Connector, particulars: Particulars = {}) => {
    for (const at of ["a", "b"]) expect(await net.redeploy(at, networkOf("a -> b", connector, particulars))).toBeUndefined();
    await net.run();
  };
  const goneAndBack = async (net: SimulatedNetwork) => {
    await deploy(net, { removed: true });
    await net.run(20 * minute);
    await deploy(net, {}, { brokers: { a: { networkConnectors: [] } } });
    await deploy(net, {});
  };

  test.for([
    { rule: "stopped and started, with its subscriber", isAway: false, downAndUp: stopAndStart },
    { rule: "stopped and started, without", isAway: true, downAndUp: stopAndStart },
    { rule: "its connector taken away and made again, with its subscriber", isAway: false, downAndUp: goneAndBack },
    { rule: "its connector taken away and made again, without", isAway: true, downAndUp: goneAndBack },
  ])("$rule", async ({ isAway, downAndUp }) => {
    const net = await simulate(networkOf("a -> b"));
    const first = await subscribeDurable(net, "b", topic);
    if (isAway) await first.close();
    await downAndUp(net);
    await sendAndRun(net, "a", topic, ["m"]);
    const got = isAway ? (await subscribeDurable(net, "b", topic)).bodies() : first.bodies();
    expect([got, net.problems()]).toEqual([["m"], []]);
  });

  test("DUR-9 its connector renamed, without its subscriber", async () => {
    const net = await simulate(networkOf("a -> b"));
    await away(net, "b");
    const [old, renamed] = [
      { name: "to-b", to: "b", removed: true },
      { name: "renamed", to: "b" },
    ];
    for (const networkConnectors of [[old, renamed], [renamed]]) {
      await deploy(net, {}, { brokers: { a: { networkConnectors } } });
      await net.run(20 * minute);
    }
    expect(await linksWithDemand(net, "a", topic)).toEqual(["a:renamed"]);
    await sendAndRun(net, "a", topic, ["m"]);
    expect((await subscribeDurable(net, "b", topic)).bodies()).toEqual(["m"]);
  });

  test("the broker itself destroyed and deployed again, when its client has subscribed again", async () => {
    const net = await simulate(networkOf("a -> b"));
    await away(net, "b");
    expect(await net.destroy("b")).toEqual([]);
    await net.run();
    expect(await linksWithDemand(net, "a", topic)).toEqual([]);
    await net.deploy("b");
    await net.run();
    const back = await subscribeDurable(net, "b", topic);
    await sendAndRun(net, "a", topic, ["m"]);
    expect(back.bodies()).toEqual(["m"]);
  });
});

async function stopAndStart(net: SimulatedNetwork) {
  await net.command("a", "to-b", "stop");
  await net.run(5 * minute);
  await net.command("a", "to-b", "start");
  await net.run();
}

describe("N05 a chain a-b-c with an offline durable subscription at c, whose tables are restored", () => {
  const demand = async (net: SimulatedNetwork) => Promise.all(["a", "b"].map((at) => linksWithDemand(net, at, topic)));
  const chained = () => simulate(networkOf("a -> b, b -> c", { networkTTL: 2 }));

  test("b's, from before it was made: demand is what it was, no more, no less", async () => {
    const net = await chained();
    const restore = net.backUp("b");
    await away(net, "c");
    const before = await demand(net);
    expect(before).toEqual([["a:to-b"], ["b:to-c"]]);
    restore();
    await net.run(10 * minute);
    expect(await demand(net)).toEqual(before);
    await sendAndRun(net, "a", topic, ["m"]);
    expect((await subscribeDurable(net, "c", topic)).bodies()).toEqual(["m"]);
  });

  test("b's, from before it was unsubscribed: there is none", async () => {
    const net = await chained();
    await away(net, "c");
    const restore = net.backUp("b");
    await unsubscribeDurable(net, "c");
    restore();
    await net.run(10 * minute);
    expect(await demand(net)).toEqual([[], []]);
  });

  test("c's own, from before it was made: it is there again when its subscriber is, with what it gathered", async () => {
    const net = await chained();
    const restore = net.backUp("c");
    await away(net, "c");
    await sendAndRun(net, "a", topic, ["gathered"]);
    restore();
    await net.run(10 * minute);
    const back = await subscribeDurable(net, "c", topic);
    await sendAndRun(net, "a", topic, ["m"]);
    expect([back.bodies(), await demand(net)]).toEqual([
      ["gathered", "m"],
      [["a:to-b"], ["b:to-c"]],
    ]);
  });
});

test("N07 a list of inclusion that is narrowed leaves no subscription of what it no longer names", async () => {
  const including = (...dynamicallyIncludedDestinations: string[]) => networkOf("a -> b", { dynamicallyIncludedDestinations });
  const net = await simulate(including("topic://TOPIC.>"));
  await away(net, "b", topic, "one");
  await away(net, "b", other, "two");
  expect([subscribedOf(net, "a", topic), subscribedOf(net, "a", other)]).toEqual([1, 1]);
  for (const at of ["a", "b"]) expect(await net.redeploy(at, including(topic))).toBeUndefined();
  await net.run();
  expect([subscribedOf(net, "a", topic), subscribedOf(net, "a", other)]).toEqual([1, 0]);
  expect(await net.broker("b").brain.list("durable", "")).toHaveLength(2);
});

test("N36, D25 of two links between the same pair each has its own durable demand, and nothing in common", async () => {
  const connectors = [
    { name: "T", to: "b", syncDurableSubs: true, dynamicallyIncludedDestinations: ["topic://>"] },
    { name: "Q", to: "b", syncDurableSubs: true, dynamicallyIncludedDestinations: ["queue://>"] },
  ];
  const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { networkConnectors: connectors } } }), { absent: ["b"] });
  await net.deploy("b");
  await away(net, "b");
  const queues = net.connect("b");
  await queues.consume("queue://orders");
  await net.run();
  expect(await linksWithDemand(net, "a", topic)).toEqual(["a:T"]);
  expect(await linksWithDemand(net, "a", "queue://orders")).toEqual(["a:Q"]);
  await sendAndRun(net, "a", topic, bodies("t", 3));
  await sendAndRun(net, "a", "queue://orders", bodies("q", 3));
  expect((await subscribeDurable(net, "b", topic)).bodies()).toEqual(bodies("t", 3));
  expect(queues.bodies().toSorted()).toEqual(bodies("q", 3));
  const ends = net.cloud.queues.arns().filter((arn) => /-in-|-undelivered-/.test(arn));
  expect(new Set(ends).size).toBe(4);
});
