import { describe, expect, test } from "vitest";
import type { HandOver, HandOverAnswer } from "../../../core/ports.ts";
import { nativeSubscriber } from "../../support/simulator/native.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, networkOf, pair } from "../../support/simulator/topologies.ts";
import { dyingOnce } from "./dying.ts";

const topic = "topic://TEST.FOO";
const minute = 60_000;
const everywhere = (ids: string) => Object.fromEntries(ids.split("").map((id) => [id, { topics: ["TEST.FOO"] }]));
const aPair = () => simulate(networkOf(pair, {}, { brokers: everywhere("ab") }));
const aChain = () => simulate(networkOf(chain(3), { networkTTL: 2 }, { brokers: everywhere("abc") }));

const subscriberAt = async (net: SimulatedNetwork, at: string) => {
  const client = net.connect(at);
  await client.consume(topic);
  await net.run();
  return client;
};
/** What became of what came over links, counted. */
const said = (net: SimulatedNetwork, at: string): Readonly<Record<string, number>> => {
  const steps = net.broker(at).outcomes.flatMap((outcome) => (outcome.cameBy ? outcome.steps : []));
  const words = steps.flatMap(({ verdict, reason, target = "", targets = 1 }) =>
    Array(targets).fill(`${verdict} ${reason} ${target}`.trim()),
  );
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, its]) => [word, its.length]));
};
const published = async (net: SimulatedNetwork, texts: readonly string[], at = "a") => {
  net.publish(at, topic, texts);
  await net.run();
};

describe("a topic message that came over a link", () => {
  test("goes straight to the queues of this broker's subscribers, and no copy goes back", async () => {
    const net = await aPair();
    const [one, two, home] = [await subscriberAt(net, "b"), await subscriberAt(net, "b"), await subscriberAt(net, "a")];
    await published(net, bodies("m", 3));
    for (const client of [one, two, home]) expect(client.bodies()).toEqual(bodies("m", 3));
    expect(said(net, "b")).toEqual({ "handed-over known-subscribers client-queue": 6 });
    expect(net.crossings("b", "a")).toBe(0);
  });

  test("is the same message to its reader whether SNS delivered it or we did", async () => {
    const net = await aPair();
    const here = await subscriberAt(net, "b");
    await published(net, ["direct"]);
    nativeSubscriber(net, "b", topic);
    await net.run();
    await published(net, ["published"]);
    const [direct, enveloped] = here.received.map(({ message: { id: _, timestamp: _at, body: _body, ...message } }) => message);
    expect(direct).toEqual(enveloped);
    expect(here.bodies()).toEqual(["direct", "published"]);
  });

  test("goes on over a chain, once to each", async () => {
    const net = await aChain();
    const clients = [await subscriberAt(net, "b"), await subscriberAt(net, "c")];
    await published(net, bodies("m", 3));
    for (const client of clients) expect(client.bodies()).toEqual(bodies("m", 3));
    expect(said(net, "b")).toEqual({ "handed-over known-subscribers client-queue": 3, "handed-over known-subscribers b:to-c": 3 });
    expect(said(net, "c")).toEqual({ "handed-over known-subscribers client-queue": 3 });
  });

  test("is published as long as a breaker is open, so that SNS holds the copy", async () => {
    const net = await aChain();
    const [here, there] = [await subscriberAt(net, "b"), await subscriberAt(net, "c")];
    net.cut("b", "c");
    await published(net, ["first"]);
    await published(net, ["second"]);
    expect(said(net, "b")).toEqual({
      "handed-over known-subscribers client-queue": 1,
      "parked target-refused b:to-c": 1,
      "handed-over breaker-open topic": 1,
    });
    net.heal("b", "c");
    await net.run();
    await published(net, ["third"]);
    expect(here.bodies()).toEqual(["first", "second", "third"]);
    expect(there.bodies().toSorted()).toEqual(["first", "second", "third"]);
  });

  test.for(["hangs", "accepts and says nothing"] as const)("is parked for a link that %s, and comes once", async (silence) => {
    const net = await aChain();
    const [here, there] = [await subscriberAt(net, "b"), await subscriberAt(net, "c")];
    net.hush("b", "c", silence);
    await published(net, ["m"]);
    net.hush("b", "c");
    await net.run();
    expect([here.bodies(), there.bodies()]).toEqual([["m"], ["m"]]);
    expect(said(net, "b")).toMatchObject({ "parked target-silent b:to-c": 1 });
  });
});

test("a topic message that its producer sends here is published, known subscribers or not", async () => {
  const net = await aPair();
  const clients = [await subscriberAt(net, "a"), await subscriberAt(net, "b")];
  net.send("b", topic, ["m"]);
  await net.run();
  for (const client of clients) expect(client.bodies()).toEqual(["m"]);
  const steps = net.broker("b").outcomes.flatMap((outcome) => (outcome.messageId && !outcome.cameBy ? outcome.steps : []));
  expect(steps).toMatchObject([{ verdict: "handed-over", reason: "local-subscribers", target: "topic" }]);
});

describe("somebody who subscribes by SNS's own means", () => {
  test("is demand from the tick on that finds him, and gets all from then on, published", async () => {
    const net = await aPair();
    const native = nativeSubscriber(net, "b", topic);
    await published(net, ["early"]);
    await published(net, bodies("m", 2));
    expect(native.bodies()).toEqual(bodies("m", 2));
    expect(said(net, "b")).toEqual({ "handed-over native-subscriber topic": 2 });
  });

  test("switches what was delivered directly to publishing, and back when he has gone", async () => {
    const net = await aPair();
    const here = await subscriberAt(net, "b");
    await published(net, ["one"]);
    const native = nativeSubscriber(net, "b", topic);
    await net.run(15 * minute);
    await published(net, ["two"]);
    native.leave();
    await net.run(15 * minute);
    await published(net, ["three"]);
    expect(here.bodies()).toEqual(["one", "two", "three"]);
    expect(native.bodies()).toEqual(["two"]);
    expect(said(net, "b")).toEqual({ "handed-over known-subscribers client-queue": 2, "handed-over native-subscriber topic": 1 });
  });

  test("is no demand any more once he has gone", async () => {
    const net = await aPair();
    const native = nativeSubscriber(net, "b", topic);
    await net.run();
    expect(await net.linkCandidates("a", topic)).toHaveLength(1);
    native.leave();
    await net.run(15 * minute);
    expect(await net.linkCandidates("a", topic)).toEqual([]);
  });
});

test("a declared consumer is published to, before and after it has subscribed, and counts once", async () => {
  const consumers = { consumers: [{ destination: topic, count: 1 }] };
  const net = await simulate(networkOf(pair, { conduitSubscriptions: false }, { brokers: { a: { topics: ["TEST.FOO"] }, b: consumers } }));
  await subscriberAt(net, "b");
  const native = nativeSubscriber(net, "b", topic);
  await net.run(15 * minute);
  await published(net, ["m"]);
  expect(native.bodies()).toEqual(["m"]);
  expect((await net.linkCandidates("a", topic)).map(({ weight }) => weight)).toEqual([2]);
});

describe("in the middle of a direct delivery", () => {
  const toOwnQueue = ({ target }: HandOver) => target.to === "own-queue";

  test("dispatch dies: those further on get each message once, clients here at least once", async () => {
    const net = await aChain();
    const [here, there] = [await subscriberAt(net, "b"), await subscriberAt(net, "c")];
    const died = dyingOnce(net, "b", toOwnQueue, 2);
    net.publish("a", topic, bodies("m", 20));
    for (let n = 0; n < 3; n += 1) await net.run(30 * minute).catch(() => {});
    expect(died()).toBe(2);
    expect(new Set(here.bodies())).toEqual(new Set(bodies("m", 20)));
    expect(there.bodies().toSorted()).toEqual(bodies("m", 20).toSorted());
  });

  test("some queues refuse some messages: nobody misses one, and nobody has one twice", async () => {
    const net = await aChain();
    const clients = [await subscriberAt(net, "b"), await subscriberAt(net, "b"), await subscriberAt(net, "c")];
    const { targets } = net.broker("b").ports;
    const { handOver } = targets;
    const throttled: HandOverAnswer = { answer: "refused", cause: "throttled", why: "throttled" };
    let calls = 0;
    const refuses = (one: HandOver) => toOwnQueue(one) && calls < 100 && ++calls % 3 > 0;
    const moody = async (handOvers: readonly HandOver[]) =>
      Promise.all(handOvers.map(async (one) => (refuses(one) ? throttled : ((await handOver([one]))[0] ?? throttled))));
    Object.assign(targets, { handOver: moody });
    net.publish("a", topic, bodies("m", 20));
    await net.run(60 * minute);
    for (const client of clients) expect(client.bodies().toSorted()).toEqual(bodies("m", 20).toSorted());
  });
});

test.for(["topic://TEST.>", "topic://TEST.*,topic://*.FOO"])("a consumer of %s gets a direct delivery once", async (pattern) => {
  const net = await aPair();
  const client = net.connect("b");
  await client.consume(pattern);
  await net.run();
  await published(net, ["m"]);
  expect(client.bodies()).toEqual(["m"]);
  expect(said(net, "b")).toEqual({ "handed-over known-subscribers client-queue": 1 });
});
