import { describe, expect, test } from "vitest";
import type { Message } from "../../../core/message/message.ts";
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

describe("SNS filters", () => {
  const rowsOf = async (net: SimulatedNetwork, at: string) =>
    new Map((await net.broker(at).brain.list("subscription", topic)).map(({ id, value }) => [id, value]));
  const crossed = (net: SimulatedNetwork): number => net.crossings("a", "b");

  test("for a client's subscription: what its selector refuses doesn't come, and no feed is needed", async () => {
    const net = await simulate(networkOf(pair));
    const client = await subscriber(net, "a", "kind IN ('x', 'y')");
    for (const kind of ["x", "y", "z"]) publish(net, "a", kind);
    net.publish("a", topic, ["without any attribute"]);
    await net.run();
    expect([client.bodies(), client.passedOver, [...(await rowsOf(net, "a")).keys()]]).toEqual([
      ["x-0", "y-0"],
      [],
      ["own|conn1.c1.topic"],
    ]);
  });

  test("by what stands outside a header; a message that hides something passes, and is chosen by the client", async () => {
    const net = await simulate(networkOf(pair));
    const client = await subscriber(net, "a", "kind = 'x'");
    for (const kind of ["x", "z"])
      net.publish("a", topic, [kind], { properties: { kind: { type: "string", value: kind }, $: { type: "boolean", value: true } } });
    await net.run();
    expect([client.bodies(), client.passedOver.length]).toEqual([["x"], 1]);
  });

  test("by numbers and by what isn't there only of topics on which clients alone publish", async () => {
    const topics = [{ name: "prices", producers: "spanmq" as const }];
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { topics } } }));
    const client = await subscriber(net, "a", "size > 1 OR kind IS NULL");
    publish(net, "a", "x", 3);
    net.publish("a", topic, ["no kind"], {});
    await net.run();
    const row = (await rowsOf(net, "a")).get("own|conn1.c1.topic");
    expect([client.bodies().toSorted(), client.passedOver, row?.fed, row?.filter !== undefined]).toEqual([
      ["no kind", "x-2"],
      [],
      undefined,
      true,
    ]);
  });

  test("for a link, by all selectors there together: nothing else crosses", async () => {
    const net = await simulate(networkOf("a -> b"));
    const clients = [await subscriber(net, "b", "kind = 'x'"), await subscriber(net, "b", "kind = 'y'")];
    await net.run(30 * minute);
    for (const kind of ["x", "y", "z"]) publish(net, "a", kind, 3);
    await net.run();
    expect([clients.map((client) => client.bodies()), crossed(net)]).toEqual([[bodies("x", 3), bodies("y", 3)], 6]);
  });

  test.for([
    { rule: "not for a link on which somebody wants everything", selector: undefined, got: ["x-0", "odd-0"] },
    {
      rule: "N21 not by a selector that doesn't translate: it is demand all the same, and decides at its broker",
      selector: odd,
      got: ["odd-0"],
    },
  ])("$rule", async ({ selector, got }) => {
    const net = await simulate(networkOf("a -> b"));
    await subscriber(net, "b", "kind = 'x'");
    const other = await subscriber(net, "b", selector);
    await net.run(30 * minute);
    for (const kind of ["x", "odd"]) publish(net, "a", kind);
    await net.run();
    expect([other.bodies(), other.passedOver, crossed(net)]).toEqual([got, [], 2]);
  });

  test.for(["any", "spanmq"] as const)(
    "C09 what isn't there, what is null and what has another type means to a topic's subscribers what it means to the selector (producers: %s)",
    async (producers) => {
      const topics = [{ name: "prices", producers }];
      const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { topics }, b: { topics } } }));
      const [here, there] = [await subscriber(net, "a", "p IS NULL OR p <> 3"), await subscriber(net, "b", "p IS NULL OR p <> 3")];
      const values: Record<string, Message["properties"]> = {
        absent: {},
        null: { p: { type: "null" } },
        "the number 3": { p: { type: "int", value: 3 } },
        "the text 3": { p: { type: "string", value: "3" } },
        "the number 4": { p: { type: "int", value: 4 } },
      };
      for (const [body, properties] of Object.entries(values)) net.publish("a", topic, [body], { properties });
      await net.run();
      const taken = Object.keys(values).filter((body) => body !== "the number 3");
      expect([here.bodies(), there.bodies(), here.passedOver]).toEqual([taken, taken, []]);
      expect(crossed(net)).toBe(producers === "spanmq" ? 4 : 5);
    },
  );

  test("as before for minutes after a link's filter changed: the feed brings what only the new one lets pass, once", async () => {
    const net = await simulate(networkOf("a -> b"));
    const x = await subscriber(net, "b", "kind = 'x'");
    const y = net.connect("b");
    await y.consume(topic, { selector: "kind = 'y'" });
    await net.run(minute);
    for (let n = 0; n < 25; n += 1) {
      for (const kind of ["x", "y", "z"])
        net.publish("a", topic, [`${kind}-${n}`], { timestamp: net.now(), properties: { kind: { type: "string", value: kind } } });
      await net.run(minute);
    }
    expect([x.bodies(), y.bodies(), x.passedOver, y.passedOver]).toEqual([bodies("x", 25), bodies("y", 25), [], []]);
    await net.run(5 * minute);
    expect((await rowsOf(net, "a")).has("feed")).toBe(false);
  });

  test("less when a selector leaves: no feed is needed for what stays", async () => {
    const net = await simulate(networkOf("a -> b"));
    const [x, y] = [await subscriber(net, "b", "kind = 'x'"), await subscriber(net, "b", "kind = 'y'")];
    await net.run(30 * minute);
    await y.close();
    await net.run();
    const had = (await rowsOf(net, "a")).has("feed");
    for (const kind of ["x", "y"]) publish(net, "a", kind);
    await net.run();
    expect([had, x.bodies(), crossed(net)]).toEqual([false, ["x-0"], 1]);
  });

  test("conduitSelectors: ignore asks for everything, as ActiveMQ does", async () => {
    const net = await simulate(networkOf("a -> b", { conduitSelectors: "ignore" }));
    const client = await subscriber(net, "b", "kind = 'x'");
    for (const kind of ["x", "z"]) publish(net, "a", kind);
    await net.run();
    expect([client.bodies(), crossed(net), (await rowsOf(net, "a")).get("link|a:to-b")?.filter]).toEqual([["x-0"], 2, undefined]);
  });
});

describe("noLocal", () => {
  const local = async (net: SimulatedNetwork, at: string, options: { readonly selector?: string } = {}) => {
    const client = net.connect(at);
    await client.consume(topic, { noLocal: true, ...options });
    await net.run();
    return client;
  };

  test.for([
    { rule: "SEL-21: what its own connection publishes isn't for a subscriber, what others publish is", options: {}, passedOver: 1 },
    { rule: "SEL-21: together with a selector both decide", options: { selector: "size + 0 < 2" }, passedOver: 1 },
  ])("$rule", async ({ options, passedOver }) => {
    const net = await simulate(networkOf(pair));
    const [client, other] = [await local(net, "a", options), await local(net, "b", options)];
    for (const connection of [client.connection, "another", undefined])
      net.publish("a", topic, [`by ${connection}`], {
        ...(connection !== undefined && { connection }),
        properties: { size: { type: "int", value: 1 } },
      });
    await net.run();
    expect([client.bodies(), other.bodies().toSorted(), client.passedOver.length]).toEqual([
      ["by another", "by undefined"],
      [`by ${client.connection}`, "by another", "by undefined"].toSorted(),
      passedOver,
    ]);
  });
});

describe("of two ways to the same broker one that knows fewer of its subscribers hides none from the other:", () => {
  const declared = { topics: ["prices"] };
  const gotBy = async (net: SimulatedNetwork, ...readers: readonly (() => Promise<SimulatedClient>)[]) => {
    for (const kind of ["x", "y", "z"]) publish(net, "a", kind, 3);
    await net.run();
    return Promise.all(readers.map(async (reader) => (await reader()).bodies()));
  };

  test("a shortcut that first ran when a durable subscription had no subscriber", async () => {
    const shortcut = { "a c": { autoStart: false } };
    const net = await simulate(networkOf("a -> b, b -> c, a -> c", { networkTTL: 2 }, { brokers: { a: declared }, connectors: shortcut }));
    const durable = async () => {
      const client = net.connect("c");
      await client.consume(topic, { selector: "kind = 'y'", durable: { clientID: "audit", subscriptionName: "y" } });
      await net.run();
      return client;
    };
    await (await durable()).close();
    const plain = await subscriber(net, "c", "kind = 'x'");
    await net.command("a", "to-c", "start");
    await net.run(30 * minute);
    expect(await gotBy(net, async () => plain, durable)).toEqual([bodies("x", 3), bodies("y", 3)]);
  });

  test("a connector that listens to less", async () => {
    const networkConnectors = [
      { name: "all", to: "b" },
      { name: "a-few", to: "b", destinationFilter: "Topic.prices" },
    ];
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { ...declared, networkConnectors } } }));
    const wide = await subscriber(net, "b", "kind = 'y'", "topic://>");
    const narrow = await subscriber(net, "b", "kind = 'x'");
    await net.run(30 * minute);
    expect(
      await gotBy(
        net,
        async () => narrow,
        async () => wide,
      ),
    ).toEqual([bodies("x", 3), bodies("y", 3)]);
  });
});
