import { describe, expect, test } from "vitest";
import type { PassOrder } from "../../../core/broker/events.ts";
import type { HandOver, HandOverAnswer, OutgoingEvent } from "../../../core/ports.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, networkOf, pair } from "../../support/simulator/topologies.ts";
import { dyingOnce } from "./dying.ts";

const second = 1_000;
const minute = 60 * second;

const queue = "queue://orders.fifo";
const topic = "topic://prices.fifo";
const declared = { queues: ["orders.fifo"], topics: ["prices.fifo"] };

const network = (ways = pair, connector: Connector = {}, policy?: object): Promise<SimulatedNetwork> => {
  const broker = { ...declared, ...(policy && { destinationPolicies: [{ destination: "queue://>", ...policy }] }) };
  const brokers = Object.fromEntries(["a", "b", "c"].filter((id) => ways.includes(id)).map((id) => [id, broker]));
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

/** Lets everything happen, whoever dies meanwhile. */
const runOn = async (net: SimulatedNetwork, ms: number): Promise<void> => {
  const until = net.now() + ms;
  while (net.now() < until) await net.run(until - net.now()).catch(() => {});
};
const ofGroup = (texts: readonly string[], group: string): string[] => texts.filter((text) => text.startsWith(`${group}-`));
const reasonsAt = (net: SimulatedNetwork, at: string): ReadonlySet<string> =>
  new Set(net.broker(at).outcomes.flatMap(({ steps }) => steps.map(({ verdict, reason }) => `${verdict} ${reason}`)));
const groups = ["g0", "g1", "g2"];
const mixed = (count: number): string[] => Array.from({ length: count }, (_, n) => groups.map((group) => `${group}-${n}`)).flat();
/** Answers hand-overs of a broker in the targets' place, as long as it has something to say. */
const answering = (net: SimulatedNetwork, at: string, say: (one: HandOver) => HandOverAnswer | undefined): void => {
  const { targets } = net.broker(at).ports;
  const { handOver } = targets;
  Object.assign(targets, {
    handOver: (handOvers: readonly HandOver[]) => Promise.all(handOvers.map(async (one) => say(one) ?? (await handOver([one]))[0])),
  });
};
const throttled: HandOverAnswer = { answer: "refused", cause: "throttled", why: "throttled" };
const toLink = ({ target }: HandOver): boolean => target.to === "link";

describe("dispatch that dies after a FIFO target accepted", () => {
  test.for([
    { rule: "a queue here", destination: queue, at: "a", to: "queue" },
    { rule: "a queue there", destination: queue, at: "b", to: "queue" },
    { rule: "a link", destination: queue, at: "a", to: "link" },
    { rule: "a topic here", destination: topic, at: "a", to: "topic" },
    { rule: "a topic there", destination: topic, at: "b", to: "topic" },
    { rule: "a link that a topic feeds", destination: topic, at: "a", to: "link" },
  ])("$rule doubles nothing, and what comes again is in order", async ({ destination, at, to }) => {
    const net = await network();
    const reader = await readerAt(net, to === "queue" && at === "a" ? "a" : "b", destination);
    const died = dyingOnce(net, at, ({ target }) => target.to === to, 1);
    net.sendInOrder("a", destination, mixed(8));
    await runOn(net, 10 * minute);
    expect(died()).toBe(1);
    for (const group of groups) expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 8));
  });
});

describe("a group of which one is stuck", () => {
  test("C06 waits for it in order, and the others go on", async () => {
    const net = await network();
    const reader = await readerAt(net, "a", queue);
    let isStuck = true;
    answering(net, "a", ({ wire, target }) => (isStuck && target.to === "queue" && wire.body === "g1-1" ? throttled : undefined));
    net.sendInOrder("a", queue, mixed(12));
    await net.run(minute);
    expect(groups.map((group) => ofGroup(reader.bodies(), group).length)).toEqual([12, 1, 12]);
    isStuck = false;
    await net.run(30 * minute);
    expect(ofGroup(reader.bodies(), "g1")).toEqual(bodies("g1", 12));
  });

  test("C06 for good is without it: dead-lettered by verdict, and the group goes on", async () => {
    const net = await network();
    const reader = await readerAt(net, "b", queue);
    answering(net, "b", ({ wire, target }) =>
      target.to === "queue" && wire.body === "g1-1" ? { answer: "refused", cause: "too-large", why: "too large" } : undefined,
    );
    net.sendInOrder("a", queue, mixed(12));
    await net.run();
    expect(net.deadLetters("b").map(({ body }) => body)).toEqual(["g1-1"]);
    expect(ofGroup(reader.bodies(), "g1")).toEqual(bodies("g1", 12).filter((body) => body !== "g1-1"));
  });

  test("behind a link that refuses part of a batch is rest here in order, and moves in order", async () => {
    const net = await network();
    const reader = await readerAt(net, "b", queue);
    const refused = new Set(["g0-3", "g2-7"]);
    answering(net, "a", (one) => (toLink(one) && refused.delete(one.wire.body) ? throttled : undefined));
    net.sendInOrder("a", queue, mixed(12));
    await net.run(second);
    expect(reasonsAt(net, "a")).toContain("rested behind-resting");
    await net.run();
    for (const group of groups) expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 12));
  });

  test.for([
    { rule: "that said nothing and has it", silence: "accepts and says nothing" as const },
    { rule: "that said nothing and hasn't", silence: "hangs" as const },
  ])("behind a link $rule isn't overtaken, by queue or topic", async ({ silence }) => {
    for (const destination of [queue, topic]) {
      const net = await network();
      const reader = await readerAt(net, "b", destination);
      net.hush("a", "b", silence);
      net.sendInOrder("a", destination, bodies("g", 2));
      await net.run(second);
      net.hush("a", "b");
      net.sendInOrder("a", destination, ["g-2", "g-3"]);
      await net.run(5 * minute);
      expect(reader.bodies()).toEqual(bodies("g", 4));
    }
  });

  /** A link that says nothing to one of its messages, and takes the others: its breaker stays closed. */
  const silentTo = (net: SimulatedNetwork, body: string): void => {
    let isSilent = true;
    answering(net, "a", (one) => {
      if (!isSilent || !toLink(one) || one.wire.body !== body) return undefined;
      isSilent = false;
      return { answer: "silent", why: "no answer in 3 s" };
    });
  };

  test("behind what is parked for a link that works waits some seconds, by a queue in the queue, by a topic parked too", async () => {
    for (const [destination, how] of [
      [queue, "rested behind-parked"],
      [topic, "parked behind-parked"],
    ] as const) {
      const net = await network();
      const reader = await readerAt(net, "b", destination);
      silentTo(net, "g1-0");
      net.sendInOrder("a", destination, mixed(5));
      await net.run(second);
      expect(reasonsAt(net, "a")).toContain(how);
      await net.run(14 * second);
      for (const group of groups) expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 5));
    }
  });

  test.for([
    { destination: queue, how: "rested breaker-open" },
    { destination: topic, how: "parked breaker-open" },
  ])("behind an open breaker waits in order without being tried ($destination)", async ({ destination, how }) => {
    const net = await network();
    const reader = await readerAt(net, "b", destination);
    net.cut("a", "b");
    let tries = 0;
    answering(net, "a", (one) => {
      if (toLink(one)) tries += 1;
      return undefined;
    });
    for (let n = 0; n < 5; n += 1) {
      net.sendInOrder("a", destination, [`g-${n}`]);
      await net.run(2 * second);
    }
    expect([tries, reasonsAt(net, "a").has(how)]).toEqual([1, true]);
    net.heal("a", "b");
    await net.run(5 * minute);
    expect(reader.bodies()).toEqual(bodies("g", 5));
  });

  test("of a topic is parked for a link that refuses it, and goes on over the other", async () => {
    const net = await network("a -> b, a -> c");
    const [there, away] = [await readerAt(net, "b", topic), await readerAt(net, "c", topic)];
    const refused = new Set(["g-1"]);
    answering(net, "a", (one) => {
      const isTo = one.target.to === "link" && one.target.link.endsWith("to-c");
      return isTo && refused.delete(one.wire.body) ? throttled : undefined;
    });
    net.sendInOrder("a", topic, bodies("g", 5));
    await net.run(second);
    expect([there.bodies(), away.bodies()]).toEqual([bodies("g", 5), bodies("g", 1)]);
    await net.run(14 * second);
    expect(away.bodies()).toEqual(bodies("g", 5));
  });

  test("of one destination holds up no equal group of another on the same link", async () => {
    const more = { queues: ["orders.fifo", "other.fifo"] };
    const net = await simulate(networkOf(pair, {}, { brokers: { a: more, b: more } }));
    const [stuck, free] = [await readerAt(net, "b", queue), await readerAt(net, "b", "queue://other.fifo")];
    answering(net, "b", ({ target }) => (target.to === "queue" && target.destination.name === "orders.fifo" ? throttled : undefined));
    for (const destination of [queue, "queue://other.fifo"]) net.sendInOrder("a", destination, bodies("g", 3));
    await net.run(minute);
    expect([stuck.bodies(), free.bodies()]).toEqual([[], bodies("g", 3)]);
  });

  test("that local consumers keep waiting holds up no group that goes over a link", async () => {
    const net = await network();
    const many = Array.from({ length: 9 }, (_, n) => `g${n}`);
    net.sendInOrder(
      "a",
      queue,
      many.flatMap((group) => bodies(group, 2)),
    );
    const idler = net.connect("a");
    idler.pause();
    await idler.consume(queue);
    const reader = await readerAt(net, "b", queue);
    const crossing = many.filter((group) => ofGroup(reader.bodies(), group).length > 0);
    expect([crossing.length > 0, crossing.length < many.length]).toEqual([true, true]);
    net.broker("a").outcomes.splice(0);
    net.sendInOrder(
      "a",
      queue,
      many.flatMap((group) => bodies(group, 4).slice(2)),
    );
    await net.run(second);
    expect(reasonsAt(net, "a")).toEqual(new Set(["handed-over local-consumers", "handed-over network-demand"]));
    for (const group of crossing) expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 4));
  });

  test("that may not go on holds up the others for a moment only", async () => {
    const net = await network();
    const idler = net.connect("a");
    idler.pause();
    await idler.consume(queue);
    await net.run();
    net.sendInOrder("b", queue, ["stuck-0"]);
    await net.run();
    await idler.close();
    const reader = await readerAt(net, "b", queue);
    expect(net.depth("a", queue)).toBe(1);
    const { events } = net.broker("a").ports;
    const { send } = events;
    const looks: number[] = [];
    Object.assign(events, {
      send: (told: readonly OutgoingEvent[]) => {
        looks.push(told.filter(({ event }) => event.event === "look").length);
        return send(told);
      },
    });
    net.sendInOrder("a", queue, mixed(5));
    await net.run(3 * second);
    expect([reasonsAt(net, "a").has("rested behind-resting"), Math.max(...looks)]).toEqual([true, 1]);
    for (const group of groups) expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 5));
    expect(net.depth("a", queue)).toBe(1);
  });

  test("behind one that a consumer died at waits until that is there again, and isn't looked for all the time", async () => {
    const net = await network();
    const dying = net.connect("a");
    await dying.consume(queue, {}, { acks: false, reads: false, atMost: 1 });
    await net.run();
    net.sendInOrder("a", queue, bodies("g", 3));
    await net.run(second);
    dying.goSilent();
    await net.run(5 * minute);
    const reader = await readerAt(net, "b", queue);
    net.sendInOrder("a", queue, ["g-3"]);
    await net.run(10 * minute);
    const passes = new Set<string>();
    const { start } = net.broker("a").ports.passes;
    Object.assign(net.broker("a").ports.passes, { start: (order: PassOrder) => start(order).then(() => void passes.add(order.pass)) });
    await net.run(60 * minute);
    expect([reader.bodies(), passes.size]).toEqual([[], 60]);
    await net.run(12 * 60 * minute);
    expect(reader.bodies()).toEqual(bodies("g", 4));
  });

  test("of a topic holds up one link only", async () => {
    const net = await network("a -> b, a -> c");
    const [there, away] = [await readerAt(net, "b", topic), await readerAt(net, "c", topic)];
    net.cut("a", "c");
    net.sendInOrder("a", topic, bodies("g", 5));
    await net.run(2 * minute);
    expect([there.bodies(), away.bodies()]).toEqual([bodies("g", 5), []]);
    net.heal("a", "c");
    net.sendInOrder("a", topic, ["g-5"]);
    await net.run(5 * minute);
    expect([there.bodies(), away.bodies()]).toEqual([bodies("g", 6), bodies("g", 6)]);
  });
});

describe("FIFO messages whose consumer moves between two brokers five times", () => {
  test.for([0, 3_000])("are consumed once, at the end, in order (replayDelay %i)", async (replayDelay) => {
    const net = await network(pair, {}, { replayWhenNoConsumers: true, replayDelay });
    net.sendInOrder("a", queue, mixed(4));
    const stood: number[] = [];
    for (const at of ["b", "a", "b", "a", "b"]) {
      const idler = net.connect(at);
      idler.pause();
      await idler.consume(queue);
      await net.run();
      stood.push(net.depth(at, queue));
      await idler.close();
      await net.run();
    }
    expect(stood).toEqual([12, 12, 12, 12, 12]);
    const reader = await readerAt(net, "a", queue);
    await net.run(10 * minute);
    for (const group of groups) expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 4));
    expect(reader.received[0]?.message.brokerPath).toEqual(["a", "b", "a", "b", "a", "b"]);
    expect([net.depth("a", queue), net.depth("b", queue), net.problems()]).toEqual([0, 0, []]);
  });
});

describe("deduplication", () => {
  test("C03 what is replayed within five minutes arrives again, though the queue has seen it", async () => {
    const net = await network(pair, {}, { replayWhenNoConsumers: true });
    const idler = net.connect("b");
    idler.pause();
    await idler.consume(queue);
    await net.run();
    net.sendInOrder("a", queue, bodies("g", 3));
    await net.run(2 * second);
    await idler.close();
    const back = net.connect("a");
    back.pause();
    await back.consume(queue);
    await net.run(20 * second);
    await back.close();
    const reader = net.connect("b");
    await reader.consume(queue);
    await net.run(30 * second);
    expect(reader.bodies()).toEqual(bodies("g", 3));
    expect(reader.received[0]?.message.brokerPath).toEqual(["a", "b", "a"]);
  });

  test("C04 what waited for a link goes to it at once, though the link has seen it", async () => {
    const net = await network();
    const reader = await readerAt(net, "b", queue);
    net.hush("a", "b", "hangs");
    net.sendInOrder("a", queue, bodies("g", 3));
    await net.run(second);
    net.hush("a", "b");
    await net.run(minute);
    expect(reader.bodies()).toEqual(bodies("g", 3));
  });

  test("C05 equal ids in two groups both arrive", async () => {
    const net = await network();
    const reader = await readerAt(net, "b", queue);
    const { where } = net.broker("a");
    for (const group of ["g0", "g1"]) {
      const wire = { body: group, attributes: { destination: { type: "String", value: queue } } };
      net.cloud.queues.send(where.own.queueArn(where.own.ingressFifoQueue), wire, { order: { group, deduplicationId: "same" } });
    }
    await net.run();
    expect(reader.bodies().toSorted()).toEqual(["g0", "g1"]);
  });
});

test("C24 the group is the same behind a topic and a link, in an own queue that keeps order too", async () => {
  const net = await network();
  const reader = await readerAt(net, "b", topic);
  net.publishInOrder("a", topic, mixed(5));
  await net.run();
  for (const group of groups) {
    expect(ofGroup(reader.bodies(), group)).toEqual(bodies(group, 5));
    expect(reader.received.filter(({ message: { groupId } }) => groupId === group)).toHaveLength(5);
  }
  expect(net.cloud.queues.arns().filter((arn) => /-s-.*topic\.fifo$/.test(arn))).toHaveLength(1);
});

test("a FIFO destination that isn't declared here is never made: what came for it is a dead letter that says so", async () => {
  const net = await simulate(networkOf(pair, { staticallyIncludedDestinations: [queue] }, { brokers: { a: declared } }));
  net.sendInOrder("a", queue, ["g-0"]);
  await net.run();
  const [letter] = net.deadLetters("b");
  expect(letter?.attributes["SpanMQ.deadLetter"]?.value).toMatch(/not-creatable.*isn't declared: a FIFO destination is never made/);
});

test("a FIFO topic feeds its links only while one of them wants it", async () => {
  const net = await network();
  const ends = () => net.cloud.topics.subscriptions(net.broker("a").where.topicOf({ kind: "topic", name: "prices.fifo" }).arn).length;
  expect(ends()).toBe(0);
  const reader = await readerAt(net, "b", topic);
  expect(ends()).toBe(1);
  await reader.close();
  await net.run(5 * minute);
  expect(ends()).toBe(0);
});
