import { expect, test } from "vitest";
import type { Habit, SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, mesh, networkOf, pair } from "../../support/simulator/topologies.ts";

const minute = 60_000;
const queue = "queue://TEST.FOO";
/** Takes one message at once, and the next a minute later. */
const slow: Habit = { acks: true, delayMs: minute };

const readerAt = async (net: SimulatedNetwork, at: string, habit?: Habit): Promise<SimulatedClient> => {
  const reader = net.connect(at);
  await reader.consume(queue, {}, habit);
  await net.run();
  return reader;
};
/** Draws messages to its broker and takes none. */
const idlerAt = async (net: SimulatedNetwork, at: string): Promise<SimulatedClient> => {
  const idler = await readerAt(net, at);
  idler.pause();
  return idler;
};
const depths = (net: SimulatedNetwork, ...brokers: readonly string[]): number[] => brokers.map((at) => net.depth(at, queue));

test("A10: with suppression a consumer that moves gets everything, though another was there when messages came", async () => {
  const connector = { networkTTL: 3, suppressDuplicateQueueSubscriptions: true, decreaseNetworkConsumerPriority: true };
  const net = await simulate(networkOf(mesh(3), connector));
  const first = await readerAt(net, "a");
  const second = await readerAt(net, "b", { acks: true, delayMs: 100 });
  net.send("b", queue, bodies("m", 200));
  await first.close();
  await net.run();
  expect([first.bodies(), second.bodies().toSorted()]).toEqual([[], bodies("m", 200).toSorted()]);
});

test("A14: without suppression and replay what went to a consumer that left is stuck abroad: its path shuts the ways back", async () => {
  const net = await simulate(networkOf(mesh(3), { networkTTL: 3 }));
  const [left, there] = [await idlerAt(net, "a"), await readerAt(net, "b")];
  net.send("b", queue, bodies("m", 30));
  await net.run();
  await left.close();
  await net.run();
  const [atA = 0, atB, atC = 0] = depths(net, "a", "b", "c");
  expect([there.received.length, atB, atA + atC]).toEqual([10, 0, 20]);
  const back = await readerAt(net, "a");
  expect(back.received.length).toBeGreaterThanOrEqual(atA);
  const [stuck = 0] = depths(net, "c"); // these had been at a before, too
  const further = await readerAt(net, "c");
  expect(further.received.length).toBe(stuck);
  expect([back, there, further].flatMap((reader) => reader.bodies()).toSorted()).toEqual(bodies("m", 30).toSorted());
});

test("A15: with replay what was left abroad comes home to a consumer, and nowhere else", async () => {
  const destinationPolicies = [{ destination: "queue://>", replayWhenNoConsumers: true }];
  const brokers = Object.fromEntries(["a", "b", "c"].map((id) => [id, { destinationPolicies }]));
  const net = await simulate(networkOf(chain(3), { conduitSubscriptions: false }, { brokers }));
  const abroad = await readerAt(net, "b", slow);
  net.send("a", queue, bodies("m", 10));
  await net.run(4.5 * minute);
  await abroad.close();
  await net.run();
  expect([abroad.received.length, ...depths(net, "a", "b")]).toEqual([5, 0, 5]);
  const further = await readerAt(net, "c");
  await further.close();
  await net.run();
  expect([further.bodies(), ...depths(net, "a", "b")]).toEqual([[], 0, 5]);
  const home = net.connect("a");
  await home.consume(queue, {}, slow);
  await net.run(0.5 * minute);
  expect([home.received.length, ...depths(net, "a", "b")]).toEqual([1, 4, 0]);
  const again = await readerAt(net, "b");
  expect(again.bodies()).toEqual([]);
  await net.run(5 * minute);
  expect([...abroad.bodies(), ...home.bodies()].toSorted()).toEqual(bodies("m", 10));
  expect(new Set(home.received.map(({ message }) => message.brokerPath.join()))).toEqual(new Set(["a,b"]));
});

test("A17: of consumers one after another each gets its message, and no demand is left of any", async () => {
  const net = await simulate(networkOf(pair));
  for (const text of bodies("m", 10)) {
    const reader = await readerAt(net, "b");
    net.send("a", queue, [text]);
    await net.run();
    expect(reader.bodies()).toEqual([text]);
    await reader.close();
    await net.run();
    expect(await net.linkCandidates("a", queue)).toEqual([]);
  }
});

test("A20: backlogs that cross one another don't hold each other up", async () => {
  const net = await simulate(networkOf(pair));
  const [eastward, westward] = ["queue://TEST.EAST", "queue://TEST.WEST"];
  net.send("a", eastward, bodies("e", 200));
  net.send("b", westward, bodies("w", 200));
  await net.run();
  const [east, west] = [net.connect("b"), net.connect("a")];
  await east.consume(eastward);
  await west.consume(westward);
  await net.run();
  expect(east.bodies().toSorted()).toEqual(bodies("e", 200).toSorted());
  expect(west.bodies().toSorted()).toEqual(bodies("w", 200).toSorted());
});

test("A36: what stands in many queues drains over a link that starts and includes everything", async () => {
  const connector = { staticBridge: true, staticallyIncludedDestinations: ["queue://>"], autoStart: false };
  const net = await simulate(networkOf("a -> b", connector));
  const names = ["plain", "with.dots", "Consumer.x.VirtualTopic.t", "Consumer.y.VirtualTopic.t"].map((name) => `queue://${name}`);
  for (const [index, name] of names.entries()) net.send("a", name, bodies(`m${index}`, 5));
  await net.run();
  const standing = (at: string) => names.map((name) => net.depth(at, name));
  expect([standing("a"), standing("b")]).toEqual([
    [5, 5, 5, 5],
    [0, 0, 0, 0],
  ]);
  await net.command("a", "to-b", "start");
  await net.run();
  expect([standing("a"), standing("b")]).toEqual([
    [0, 0, 0, 0],
    [5, 5, 5, 5],
  ]);
});

test("A37, A38: (no broker of ours restarts) with static includes both ways a message moves to the other side, and not back to a consumer", async () => {
  const net = await simulate(networkOf(pair, { networkTTL: 2, staticallyIncludedDestinations: [queue] }));
  net.send("a", queue, ["m"]);
  await net.run();
  const [here, there] = [await readerAt(net, "a"), await readerAt(net, "b")];
  expect([here.bodies(), there.bodies()]).toEqual([[], ["m"]]);
});

test("A40: the other broker counts a consumer while it is there", async () => {
  const net = await simulate(networkOf(pair, { networkTTL: 2 }));
  const reader = await readerAt(net, "b");
  expect((await net.linkCandidates("a", queue)).length).toBe(1);
  await reader.close();
  await net.run();
  expect(await net.linkCandidates("a", queue)).toEqual([]);
});
