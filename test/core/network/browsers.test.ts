import { expect, test } from "vitest";
import { bodies, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";
import { subscriptionsOn } from "./scenario.ts";

const queue = "queue://TEST.FOO";
const texts = (messages: readonly { readonly body: { readonly type: string; readonly text?: string } }[]) =>
  messages.map(({ body }) => body.text ?? "").toSorted();

test("A30: a browser abroad is no demand: it sees nothing, and consumers get what there is", async () => {
  const net = await simulate(networkOf("a -> b"));
  net.send("a", queue, bodies("m", 10));
  await net.run();
  const browser = net.connect("b");
  expect(await browser.browse(queue)).toEqual([]);
  await net.run();
  expect([await subscriptionsOn(net, "a", queue), net.crossings("a", "b")]).toEqual([0, 0]);
  const here = net.connect("a");
  await here.consume(queue);
  await net.run();
  await net.connect("b").consume(queue);
  await net.run();
  expect(here.bodies().toSorted()).toEqual(bodies("m", 10));
  expect(await browser.browse(queue)).toEqual([]);
});

test("DEM-1: a browser takes nothing: what it saw is there for the next look and for a consumer", async () => {
  const net = await simulate(networkOf(pair));
  net.send("a", queue, bodies("m", 25));
  await net.run();
  const browser = net.connect("a");
  for (const look of [1, 2]) expect([look, texts(await browser.browse(queue))]).toEqual([look, bodies("m", 25).toSorted()]);
  expect(net.depth("a", queue)).toBe(25);
  const there = net.connect("b");
  await there.consume(queue);
  await net.run();
  expect(there.bodies().toSorted()).toEqual(bodies("m", 25).toSorted());
});

test("a browser with a selector sees what that takes; looks count as deliveries", async () => {
  const net = await simulate(networkOf(pair));
  for (const [text, value] of [
    ["eu", "eu"],
    ["us", "us"],
  ] as const)
    net.send("a", queue, [text], { properties: { region: { type: "string", value } } });
  await net.run();
  const browser = net.connect("a");
  expect(texts(await browser.browse(queue, "region = 'eu'"))).toEqual(["eu"]);
  expect(await browser.browse(queue, "JMSRedelivered = FALSE")).toEqual([]);
});

test("A31: browsers of empty composites see nothing, without an error", async () => {
  const net = await simulate(networkOf(pair));
  for (const at of ["a", "b"]) expect(await net.connect(at).browse("queue://test.a,test.b")).toEqual([]);
  expect(net.problems()).toEqual([]);
});

test("A32: with static routes browsers of a composite find each message once, at one broker or another", async () => {
  const parts = ["queue://test.a", "queue://test.b"];
  const connector = { networkTTL: 4, prefetchSize: 1, staticallyIncludedDestinations: parts };
  const net = await simulate(networkOf("a -> b, b -> c, b -> d", connector));
  net.send("a", "queue://test.a,test.b", bodies("m", 10));
  await net.run();
  const seen = await Promise.all(["a", "b", "c", "d"].map((at) => net.connect(at).browse("queue://test.a,test.b")));
  expect(seen.map(({ length }) => length)).toEqual([0, 0, expect.any(Number), expect.any(Number)]);
  expect(texts(seen.flat())).toEqual([...bodies("m", 10), ...bodies("m", 10)].toSorted());
});

test("a browser of a FIFO queue leaves its order alone", async () => {
  const fifo = "queue://TEST.FOO.fifo";
  const net = await simulate(networkOf(pair, {}, { brokers: { a: { queues: ["TEST.FOO.fifo"] } } }));
  net.sendInOrder("a", fifo, bodies("g", 15));
  await net.run();
  const browser = net.connect("a");
  const seen = (await browser.browse(fifo)).map(({ body }) => (body.type === "text" ? body.text : ""));
  expect(seen).toEqual(bodies("g", 15).slice(0, seen.length));
  await browser.consume(fifo);
  await net.run();
  expect(browser.bodies()).toEqual(bodies("g", 15));
});
