import { describe, expect, test } from "vitest";
import { judgeDestination } from "../../../core/broker/control/judge.ts";
import { waitingFor } from "../../../core/broker/control/readiness.ts";
import type { OutgoingEvent } from "../../../core/ports.ts";
import { sha256 } from "../../support/hash.ts";
import type { MemoryBrain } from "../../support/memory/brain.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

/** Scenarios in which messages were once lost or stuck. */
const minute = 60_000;
const queue = "queue://TEST.FOO";

describe("a consumer with queues of its own", () => {
  test("on a queue and a topic at once leaves no message of the queue behind", async () => {
    const net = await simulate(networkOf(pair));
    const both = net.connect("a");
    both.pause();
    await both.consume("queue://x,topic://y", { prefetchSize: 5 });
    await net.run();
    net.send("a", "queue://x", bodies("m", 3));
    await net.run();
    await both.close();
    await net.run(30 * minute);
    const other = net.connect("b");
    await other.consume("queue://x");
    await net.run(10 * minute);
    expect(other.bodies().toSorted()).toEqual(bodies("m", 3));
  });

  /** Sleeps so long that its private queue was found empty once. */
  const nap = async (net: SimulatedNetwork, client: SimulatedClient): Promise<void> => {
    const { brain } = net.broker("a");
    const emptySince = async () => (await brain.read("pass", "", `private|${client.connection}.c1`))?.value.emptySince;
    client.goSilent();
    while ((await emptySince()) === undefined) await net.run(1_000);
  };
  const ownArn = (net: SimulatedNetwork, { connection }: SimulatedClient) =>
    net.broker("a").where.queueOf({ to: "own-queue", queue: `${connection}.c1` }).arn;

  test("that slept, woke and died later with messages in hand loses none of them", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("a");
    await client.consume(queue, { prefetchSize: 5 });
    await net.run();
    await nap(net, client);
    await client.wake();
    await net.run(30 * minute);
    client.pause();
    net.send("a", queue, bodies("m", 3));
    while (net.now() % minute !== 50_000) await net.run(1_000);
    await client.close();
    net.cloud.queues.receive(ownArn(net, client), 10, 30_000);
    await net.run(30 * minute);
    expect(net.depth("a", queue)).toBe(3);
  });

  test("that wakes between a pass and its result keeps its queue", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("a");
    await client.consume(queue, { prefetchSize: 5 });
    await net.run();
    await nap(net, client);
    const { brain, ports } = net.broker("a");
    const { send } = ports.events;
    const late = (one: OutgoingEvent): OutgoingEvent => (one.event.event === "pass-result" ? { ...one, delaySeconds: 10 } : one);
    Object.assign(ports.events, { send: (events: readonly OutgoingEvent[]) => send(events.map(late)) });
    const passOf = async () => (await brain.read("pass", "", `private|${client.connection}.c1`))?.value.pass;
    const first = await passOf();
    while ((await passOf()) === first) await net.run(1_000);
    await client.wake();
    client.pause();
    await net.run(3_000);
    net.send("a", queue, bodies("m", 3));
    await net.run(30 * minute);
    const waiting = net.cloud.queues.exists(ownArn(net, client)) ? net.cloud.queues.peek(ownArn(net, client)).length : 0;
    expect(waiting + net.depth("a", queue)).toBe(3);
  });
});

/** The next write of this queue's view fails once. */
const failOnce = (brain: MemoryBrain, key = queue): void => {
  const { write } = brain;
  let armed = true;
  brain.write = async (kind, scope, id, value, judgedBy) => {
    if (!armed || kind !== "view" || id !== key) return write(kind, scope, id, value, judgedBy);
    armed = false;
    throw new Error("throttled");
  };
};

describe("a judgement that fails", () => {
  test("for longer than a renewal isn't forgotten: the consumer is served", async () => {
    const net = await simulate(networkOf(pair));
    const { resources } = net.broker("b").ports;
    const [{ make }, until] = [resources, net.now() + 70_000];
    Object.assign(resources, {
      make: async (resource: Parameters<typeof make>[0]) => {
        if (net.now() < until) throw new Error("throttled");
        return make(resource);
      },
    });
    const there = net.connect("b");
    await there.consume(queue);
    await net.run(30 * minute);
    net.send("a", queue, ["m"]);
    await net.run(30 * minute);
    expect(there.bodies()).toEqual(["m"]);
  });

  test("just before the next event of its connection leaves no demand that nobody justifies", async () => {
    const net = await simulate(networkOf(pair));
    const there = net.connect("b");
    const consumer = await there.consume(queue);
    await net.run();
    failOnce(net.broker("b").brain);
    await there.drop(consumer);
    await there.consume("queue://OTHER");
    await net.run(30 * minute);
    expect(await net.linkCandidates("a", queue)).toEqual([]);
  });
});

describe("a peer whose table was made anew", () => {
  /** Nothing of what was known of this queue is left, and the table is another one. */
  const recreate = async (brain: MemoryBrain): Promise<void> => {
    const rows = [
      ["connection", ""],
      ["view", ""],
      ["destination", ""],
      ["presence", queue],
      ["demand", sha256(queue).slice(0, 2)],
      ["root", ""],
    ] as const;
    for (const [kind, scope] of rows)
      for (const { id, revision } of await brain.list(kind, scope)) await brain.write(kind, scope, id, undefined, revision);
    brain.tableId = async () => "another";
  };

  test("is read whole: what it doesn't know of any more is no demand", async () => {
    const net = await simulate(networkOf(pair));
    const there = net.connect("b");
    await there.consume(queue);
    await net.run();
    there.goSilent();
    await recreate(net.broker("b").brain);
    await net.connect("b").consume("queue://OTHER");
    await net.run(150 * minute);
    expect(await net.linkCandidates("a", queue)).toEqual([]);
  });

  test("is read again where judging that failed once", async () => {
    const net = await simulate(networkOf(pair));
    const there = net.connect("b");
    const { brain } = net.broker("b");
    await there.consume(queue);
    await net.run();
    there.goSilent();
    await recreate(brain);
    await brain.write("root", "", "root", { tableId: "another", buckets: { [sha256(queue).slice(0, 2)]: 1 } }, 0);
    failOnce(net.broker("a").brain);
    await net.run(30 * minute);
    expect(await net.linkCandidates("a", queue)).toEqual([]);
  });
});

describe("what rests", () => {
  test("crosses although dispatch had a view in its cache that knew of nobody", async () => {
    const net = await simulate(networkOf("a -> b"));
    net.send("a", queue, ["first"]);
    await net.run();
    const there = net.connect("b");
    await there.consume(queue);
    net.send("a", queue, bodies("m", 3));
    await net.run(60 * minute);
    expect([there.bodies().length, net.depth("a", queue)]).toEqual([4, 0]);
  });

  test("crosses although a thousand before it may not", async () => {
    const net = await simulate(networkOf(pair));
    const here = net.connect("a");
    here.pause();
    await here.consume(queue);
    await net.run();
    net.send("b", queue, bodies("back", 1_050));
    await net.run();
    await here.close();
    await net.run();
    net.send("a", queue, ["m"]);
    await net.run();
    const there = net.connect("b");
    await there.consume(queue);
    await net.run(10 * minute);
    expect(there.bodies()).toEqual(["m"]);
  });
});

describe("a deployment", () => {
  type Slice = SimulatedNetwork extends { broker(id: string): { slice: infer S } } ? S : never;
  const redeploy = async (net: SimulatedNetwork, at: string, change: (slice: Slice) => Slice): Promise<void> => {
    const { brain, ports, slice } = net.broker(at);
    const stored = await brain.read("broker", "", "broker");
    if (stored) await brain.write("broker", "", "broker", { ...stored.value, slice: change(stored.value.slice) }, stored.revision);
    await ports.events.send([{ to: slice.broker, event: { event: "deployed", version: 2 } }]);
  };
  const declared = { brokers: { a: { queues: ["o.x"] }, b: { queues: ["o.x"] } } };

  test("that takes a connector away withdraws what was wanted over it, patterns included", async () => {
    const net = await simulate(networkOf("a -> b, b -> c", { networkTTL: 2 }, declared));
    await net.connect("c").consume("queue://o.>");
    await net.run();
    expect(await net.linkCandidates("a", "queue://o.x")).toHaveLength(1);
    await redeploy(net, "b", (slice) => ({ ...slice, connectors: slice.connectors.filter(({ from }) => from !== "b") }));
    await net.run(30 * minute);
    expect(await net.linkCandidates("a", "queue://o.x")).toEqual([]);
  });

  test("a few seconds after its peer's starts the links both ways, before the next tick", async () => {
    const net = await simulate(networkOf(pair), { absent: ["b"] });
    await net.run(2_000);
    await net.deploy("b");
    await net.run(10_000);
    for (const [at, link] of [
      ["a", "a:to-b"],
      ["b", "b:to-a"],
    ] as const)
      expect((await net.broker(at).brain.read("link", "", link))?.value.state).toBe("started");
  });

  test("that switches advisories off withdraws all demand", async () => {
    const net = await simulate(networkOf("a -> b", {}, declared));
    await net.connect("b").consume("queue://o.>");
    await net.run();
    await redeploy(net, "b", (slice) => ({ ...slice, advisorySupport: false }));
    await net.run(30 * minute);
    expect(await net.linkCandidates("a", "queue://o.x")).toEqual([]);
  });

  test("that lets a destination be made serves those who wait for it", async () => {
    const net = await simulate(networkOf(pair, {}, { brokers: { b: { autoCreateDestinations: ["queue://none"] } } }));
    const there = net.connect("b");
    await there.consume(queue);
    await net.run();
    await redeploy(net, "b", (slice) => ({ ...slice, autoCreateDestinations: [queue] }));
    await net.run(30 * minute);
    net.send("a", queue, ["m"]);
    await net.run(30 * minute);
    expect(there.bodies()).toEqual(["m"]);
  });

  test("that no longer declares a queue lets it be made where somebody wants it", async () => {
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { queues: ["TEST.FOO"] } } }));
    net.cloud.queues.delete(net.broker("a").where.queueOf({ to: "queue", destination: { kind: "queue", name: "TEST.FOO" } }).arn);
    await redeploy(net, "a", (slice) => ({ ...slice, queues: [] }));
    await net.run();
    const here = net.connect("a");
    await here.consume(queue);
    await net.run();
    net.send("a", queue, ["m"]);
    await net.run(60 * minute);
    expect(here.bodies()).toEqual(["m"]);
  });
});

test("a name too long for the table goes to the dead letters and hurts no neighbour", async () => {
  const net = await simulate(networkOf(pair));
  const here = net.connect("a");
  await here.consume(queue);
  await net.run();
  net.send("a", `queue://${"x".repeat(5_000)}`, ["long"]);
  net.send("a", queue, ["m"]);
  await net.run(minute);
  expect([here.bodies(), net.deadLetters("a").map(({ body }) => body)]).toEqual([["m"], ["long"]]);
});

test.for([
  {
    rule: "whose lists overlap",
    connectors: [
      { name: "all", to: "b", dynamicallyIncludedDestinations: ["topic://o.a"] },
      { name: "wide", to: "b", dynamicallyIncludedDestinations: ["topic://o.>"] },
    ],
  },
  {
    rule: "one of them static",
    connectors: [
      { name: "all", to: "b" },
      { name: "fixed", to: "b", staticallyIncludedDestinations: ["topic://o.a"], dynamicallyIncludedDestinations: ["topic://zzz"] },
    ],
  },
])("a topic message crosses once over two connectors to one peer, $rule", async ({ connectors: networkConnectors }) => {
  const [a, b] = [
    { region: "eu-west-1", topics: ["o.a"], networkConnectors },
    { region: "eu-west-1", topics: ["o.a"] },
  ];
  const net = await simulate({ network: "test", brokers: { a, b } });
  const [first, second] = [net.connect("b"), net.connect("b")];
  await first.consume("topic://o.a", { priority: 5 });
  await second.consume("topic://o.>");
  await net.run();
  net.publish("a", "topic://o.a", ["t"]);
  await net.run();
  expect([first.bodies(), second.bodies()]).toEqual([["t"], ["t"]]);
});

test("a link whose probe failed just when its peer fell silent is no candidate, and reads the peer whole when it is back", async () => {
  const net = await simulate(networkOf(pair, {}, { brokers: { a: { peerLease: 300 } } }));
  await net.connect("b").consume(queue);
  await net.run();
  const { brain } = net.broker("a");
  const { write } = brain;
  let armed = true;
  brain.write = async (kind, scope, id, value, judgedBy) => {
    if (armed && kind === "seen") {
      armed = false;
      throw new Error("throttled");
    }
    return write(kind, scope, id, value, judgedBy);
  };
  net.cut("b");
  await net.run(8 * minute);
  const silent = await net.linkCandidates("a", queue);
  net.heal("b");
  await net.run(30 * minute);
  expect([silent, (await net.linkCandidates("a", queue)).length]).toEqual([[], 1]);
});

test("a subscription that nobody wants any more ends, also when the look at it couldn't be ordered at first", async () => {
  const net = await simulate(networkOf(pair));
  const there = net.connect("b");
  await there.consume("topic://t");
  await net.run();
  const { events } = net.broker("a").ports;
  const { send } = events;
  const until = net.now() + 30_000;
  Object.assign(events, {
    send: async (outgoing: readonly OutgoingEvent[]) => {
      if (net.now() < until && outgoing.some(({ event }) => event.event === "judge")) throw new Error("throttled");
      return send(outgoing);
    },
  });
  await there.close();
  await net.run(10 * minute);
  const { arn } = net.broker("a").where.topicOf({ kind: "topic", name: "t" });
  expect(net.cloud.topics.subscriptions(arn)).toEqual([]);
});

test("a consumer is told that its demand is in effect, also when the first telling didn't get through", async () => {
  const net = await simulate(networkOf(pair));
  const { events } = net.broker("a").ports;
  const { send } = events;
  let armed = true;
  Object.assign(events, {
    send: async (outgoing: readonly OutgoingEvent[]) => {
      if (!armed || !outgoing.some(({ event }) => event.event === "effective")) return send(outgoing);
      armed = false;
      return { dropped: outgoing.length };
    },
  });
  const there = net.connect("b");
  await there.consume(queue);
  await net.run(5 * minute);
  expect([armed, await waitingFor(net.broker("b").brain, sha256, there.connection, 1, net.now())]).toEqual([false, []]);
});

test("a judgement that took longer than its lease overwrites no newer one with what it had read", async () => {
  const net = await simulate(networkOf(pair));
  await net.connect("b").consume(queue);
  await net.run();
  const { brain, control } = net.broker("b");
  const stored = await brain.read("broker", "", "broker");
  const [presence] = await brain.list("presence", queue);
  if (!stored || !presence) throw new Error("the consumer isn't there");
  const now = net.now();
  await brain.write("presence", queue, presence.id, { ...presence.value, priority: 3 }, presence.revision);
  const progress = { hasFacts: false, hung: false };
  /** Once it has read its facts it hangs: meanwhile the consumer leaves, and another judgement takes the lease. */
  const hang = async (kind: string): Promise<void> => {
    if (!progress.hasFacts || progress.hung || kind !== "view") return;
    progress.hung = true;
    const [gone] = await brain.list("presence", queue);
    await brain.write("presence", queue, gone?.id ?? "", undefined, gone?.revision ?? 0);
    await judgeDestination(control, stored.value, queue, false, now + 11_000);
  };
  const slow: typeof brain = {
    ...brain,
    list: async (kind, scope) => {
      progress.hasFacts ||= kind === "presence";
      return brain.list(kind, scope);
    },
    read: async (kind, scope, id) => {
      await hang(kind);
      return brain.read(kind, scope, id);
    },
    write: async (kind, scope, id, value, judgedBy) => {
      await hang(kind);
      return brain.write(kind, scope, id, value, judgedBy);
    },
  };
  const judged = judgeDestination({ ...control, brain: slow, counters: slow, table: slow }, stored.value, queue, false, now);
  await expect(judged).rejects.toThrow("written meanwhile");
  expect((await brain.read("view", "", queue))?.value.candidates.filter(({ to }) => to === "consumers")).toEqual([]);
});
