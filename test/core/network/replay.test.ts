import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { isFifo } from "../../../core/destination/fifo.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate, standing } from "../../support/simulator/network.ts";
import { type Connector, chain, mesh, networkOf, pair, ring } from "../../support/simulator/topologies.ts";

const second = 1_000;
const minute = 60 * second;
const queue = "queue://TEST.FOO";
const replaying = { destination: "queue://>", replayWhenNoConsumers: true };

const networkThat = (policy: object, ways = pair, connector: Connector = {}): Promise<SimulatedNetwork> => {
  const destinationPolicies = [{ destination: "queue://>", ...policy }];
  const brokers = Object.fromEntries(["a", "b", "c", "d"].filter((id) => ways.includes(id)).map((id) => [id, { destinationPolicies }]));
  return simulate(networkOf(ways, connector, { brokers }));
};

/** Somebody who draws messages to a broker and takes none. */
const idlerAt = async (net: SimulatedNetwork, at: string): Promise<SimulatedClient> => {
  const idler = net.connect(at);
  idler.pause();
  await idler.consume(queue);
  await net.run();
  return idler;
};
const readerAt = async (net: SimulatedNetwork, at: string): Promise<SimulatedClient> => {
  const reader = net.connect(at);
  await reader.consume(queue);
  await net.run();
  return reader;
};

describe("a message whose consumer moves between two brokers five times", () => {
  test.for([0, 3_000])("is consumed once, at the end (replayDelay %i)", async (replayDelay) => {
    const net = await networkThat({ replayWhenNoConsumers: true, replayDelay });
    const crossings: number[] = [];
    net.send("a", queue, ["m"]);
    for (const at of ["b", "a", "b", "a", "b"]) {
      const idler = await idlerAt(net, at);
      crossings.push(net.depth(at, queue));
      await idler.close();
      await net.run();
    }
    expect(crossings).toEqual([1, 1, 1, 1, 1]);
    const reader = await readerAt(net, "a");
    await net.run(10 * minute);
    expect(reader.bodies()).toEqual(["m"]);
    expect(reader.received[0]?.message.brokerPath).toEqual(["a", "b", "a", "b", "a", "b"]);
    expect([net.depth("a", queue), net.depth("b", queue), net.problems()]).toEqual([0, 0, []]);
  });
});

describe("N01 consumers move to the other broker", () => {
  const moved = async (policy: object) => {
    const net = await networkThat(policy);
    const there = net.connect("b");
    await there.consume(queue);
    await net.run();
    there.pause();
    net.send("a", queue, bodies("m", 30));
    await net.run();
    await there.close();
    return { net, here: await readerAt(net, "a") };
  };

  test("with replay all that was forwarded follows them, once", async () => {
    const { net, here } = await moved(replaying);
    expect(here.bodies().toSorted()).toEqual(bodies("m", 30).toSorted());
    expect(net.depth("b", queue)).toBe(0);
  });

  test("without it what was forwarded rests there, is counted, and the passes that went through it say why", async () => {
    const { net, here } = await moved({});
    expect([here.bodies(), net.depth("b", queue)]).toEqual([[], 30]);
    const { rounds } = net.broker("b");
    expect(rounds.at(-1)).toMatchObject({ place: { to: "queue" }, moved: 0, left: 30, complete: true, rests: { "already-visited": 30 } });
  });
});

describe("N14 with messageTTL -1 and consumerTTL 1", () => {
  const free: Connector = { messageTTL: -1, consumerTTL: 1 };
  const demandAt = (net: SimulatedNetwork, brokers: readonly string[]) =>
    Promise.all(brokers.map(async (at) => (await net.linkCandidates(at, queue)).map((one) => (one.to === "link" ? one.link : one))));

  test("in a chain a message moves twice with its consumers, and no demand grows", async () => {
    const net = await networkThat({ replayWhenNoConsumers: true }, chain(3), free);
    net.send("a", queue, ["m"]);
    await (await idlerAt(net, "b")).close();
    await net.run();
    await (await idlerAt(net, "c")).close();
    await net.run();
    expect(net.depth("c", queue)).toBe(1);
    const back = await readerAt(net, "b");
    expect(back.bodies()).toEqual(["m"]);
    expect(await demandAt(net, ["a", "b", "c"])).toEqual([["a:to-b"], [], ["c:to-b"]]);
  });

  describe("in a mesh of four", () => {
    const four = ["a", "b", "c", "d"];
    const crossings = (net: SimulatedNetwork): number =>
      four.flatMap((from) => four.filter((to) => to !== from).map((to) => net.crossings(from, to))).reduce((sum, n) => sum + n, 0);

    test.for([
      { rule: "to brokers that it hasn't seen, without replay", policy: {}, stays: ["b", "c"], ends: "d" },
      { rule: "and back to where it was sent, with replay", policy: replaying, stays: ["b", "c", "d", "b"], ends: "a" },
    ])("a message at rest goes after its consumer $rule, is consumed once, and wanders no more", async ({ policy, stays, ends }) => {
      const net = await networkThat(policy, mesh(4), free);
      net.send("a", queue, ["m"]);
      for (const [moves, at] of stays.entries()) {
        const idler = await idlerAt(net, at);
        expect(await demandAt(net, four)).toEqual(four.map((from) => (from === at ? [] : [`${from}:to-${at}`])));
        await idler.close();
        await net.run(30 * minute);
        expect([net.depth(at, queue), crossings(net)]).toEqual([1, moves + 1]);
        expect(await demandAt(net, four)).toEqual([[], [], [], []]);
      }
      const reader = await readerAt(net, ends);
      await net.run(30 * minute);
      expect(reader.bodies()).toEqual(["m"]);
      expect(reader.received[0]?.message.brokerPath).toEqual(["a", ...stays]);
      expect([crossings(net), standing(net, "m"), net.problems()]).toEqual([stays.length + 1, [], []]);
    });
  });
});

describe("a message held by replayDelay", () => {
  const delay = 20 * second;
  const held = async (net: SimulatedNetwork) => {
    const idler = await idlerAt(net, "b");
    net.send("a", queue, ["m"]);
    await net.run(second);
    await idler.close();
    return readerAt(net, "a");
  };

  test("moves when its time has come, without any other event", async () => {
    const net = await networkThat({ replayWhenNoConsumers: true, replayDelay: 10 * minute });
    const reader = await held(net);
    expect(reader.bodies()).toEqual([]);
    const before = net.now();
    while (reader.bodies().length === 0 && net.now() < before + 10 * minute) await net.run(second);
    expect([reader.bodies(), net.now() - before >= 6 * minute]).toEqual([["m"], true]);
  });

  test("moves within a minute of its time, however long that is", async () => {
    const net = await networkThat({ replayWhenNoConsumers: true, replayDelay: 120 * minute });
    const reader = await held(net);
    await net.run(100 * minute);
    expect(reader.bodies()).toEqual([]);
    await net.run(20 * minute);
    expect(reader.bodies()).toEqual(["m"]);
  });

  test("counts from when it came to rest here, even if nobody was here any more when it arrived", async () => {
    const net = await networkThat({ replayWhenNoConsumers: true, replayDelay: delay });
    const idler = await idlerAt(net, "b");
    const reader = await readerAt(net, "a");
    reader.pause();
    net.send("a", queue, bodies("m", 10));
    await idler.close();
    await net.run(10 * second);
    expect(net.depth("b", queue)).toBe(5);
    await net.run(delay + 2 * second);
    expect([net.depth("b", queue), net.depth("a", queue)]).toEqual([0, 10]);
  });

  test("isn't looked at over and over while it waits", async () => {
    const net = await networkThat({ replayWhenNoConsumers: true, replayDelay: 60 * minute });
    await held(net);
    const passes = async () => (await net.broker("b").brain.read("pass", "", queue))?.value.pass;
    const before = await passes();
    await net.run(30 * minute);
    expect(await passes()).toBe(before);
  });
});

test("with replay, what static includes on both sides ask for crosses once and rests", async () => {
  const net = await networkThat({ replayWhenNoConsumers: true }, pair, { networkTTL: -1, staticallyIncludedDestinations: [queue] });
  net.send("a", queue, ["m"]);
  await net.run(10 * minute);
  expect([net.crossings("a", "b"), net.crossings("b", "a"), net.depth("b", queue)]).toEqual([1, 0, 1]);
});

test.for(["queue://orders", "queue://orders.fifo"])(
  "%s: around a ring what is replayed reaches its consumer instead of going to and fro between two others for ever",
  async (destination) => {
    const { name } = destinationOf(destination);
    const broker = { queues: [name], destinationPolicies: [{ destination: "queue://>", replayWhenNoConsumers: true }] };
    const net = await simulate(networkOf(ring(3), { networkTTL: 2 }, { brokers: { a: broker, b: broker, c: broker } }));
    const groups = bodies("g", 8).map((group) => group.replace("-", ""));
    const sent = ["b", "c"].flatMap((at) => {
      const some = groups.flatMap((group) => bodies(`${group}${at}`, 2));
      (isFifo(destinationOf(destination)) ? net.sendInOrder : net.send)(at, destination, some);
      return some;
    });
    await net.run();
    for (const at of ["a", "b", "c"]) {
      const idler = net.connect(at);
      idler.pause();
      await idler.consume(destination);
      await net.run(10 * 60_000);
      expect(net.depth(at, destination)).toBe(sent.length);
      await idler.close();
      await net.run();
    }
  },
);
