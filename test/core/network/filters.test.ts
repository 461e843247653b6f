import { describe, expect, test } from "vitest";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf, pair } from "../../support/simulator/topologies.ts";

/** Which of these destinations' messages, sent at a, reach consumers of just these destinations at b. */
const crossing = async (connector: Connector, destinations: readonly string[], consumed: readonly string[] = destinations) => {
  const net = await simulate(networkOf(pair, connector));
  const client = net.connect("b");
  for (const destination of consumed) await client.consume(destination);
  await net.run();
  for (const destination of destinations) net.send("a", destination, [destination]);
  await net.run();
  return client.bodies().toSorted();
};

interface Filtering {
  readonly rule: string;
  readonly excluded?: readonly string[];
  readonly dynamic?: readonly string[];
  readonly statics?: readonly string[];
  readonly crosses: readonly string[];
  readonly stays: readonly string[];
}

describe("what a connector's lists let cross", () => {
  test.for<Filtering>([
    {
      rule: "C1: a queue included, topics excluded by pattern",
      excluded: ["topic://OTHER.>"],
      dynamic: ["queue://TEST"],
      crosses: ["queue://TEST"],
      stays: ["topic://OTHER.T1"],
    },
    {
      rule: "C2: an exclude by pattern, one by name",
      excluded: ["queue://OTHER.>", "queue://TEST.X1"],
      dynamic: ["queue://TEST.X2"],
      crosses: ["queue://TEST.X2"],
      stays: ["queue://OTHER.X1", "queue://TEST.X1"],
    },
    {
      rule: "C3: includes by pattern and by name",
      dynamic: ["queue://OTHER.>", "queue://TEST.X2"],
      crosses: ["queue://OTHER.X1", "queue://TEST.X2"],
      stays: [],
    },
    {
      rule: "C4: all queues, no topics",
      excluded: ["topic://>"],
      dynamic: ["queue://>"],
      crosses: ["queue://TEST"],
      stays: ["topic://TEST"],
    },
    {
      rule: "C5: several excludes of topics, one queue",
      excluded: ["topic://OTHER.>", "topic://TEST.*"],
      dynamic: ["queue://TEST.X1"],
      crosses: ["queue://TEST.X1"],
      stays: ["topic://OTHER.T1", "topic://OTHER.T2"],
    },
    {
      rule: "C6: an exclude stops a static include",
      excluded: ["queue://TEST.X1", "queue://OTHER.X1"],
      statics: ["queue://TEST.>", "queue://OTHER.X1", "queue://OTHER.X2"],
      crosses: ["queue://OTHER.X2", "queue://TEST.X2"],
      stays: ["queue://TEST.X1", "queue://OTHER.X1"],
    },
  ])("$rule", async ({ excluded = [], dynamic = [], statics = [], crosses, stays }) => {
    const connector = {
      excludedDestinations: [...excluded],
      dynamicallyIncludedDestinations: [...dynamic],
      staticallyIncludedDestinations: [...statics],
    };
    expect(await crossing(connector, [...crosses, ...stays])).toEqual(crosses);
  });

  test("DEM-9: a static include stays open when the consumers that it found are gone", async () => {
    const net = await simulate(networkOf("a -> b", { staticallyIncludedDestinations: ["queue://TEST"] }));
    const client = net.connect("b");
    await client.consume("queue://TEST");
    await net.run();
    await client.close();
    await net.run(10 * 60_000);
    net.send("a", "queue://TEST", ["when they were gone"]);
    await net.run();
    expect([net.depth("a", "queue://TEST"), net.depth("b", "queue://TEST")]).toEqual([0, 1]);
  });

  test.for([
    { rule: "consumers by name", consumed: ["queue://local.q", "topic://local.t", "queue://global.q", "topic://global.t"] },
    { rule: "wildcard consumers of the groups", consumed: ["queue://local.>", "topic://local.>", "queue://global.>", "topic://global.>"] },
    {
      rule: "wildcard consumers of everything, which no exclude of a group stops: the names are tested again",
      consumed: ["queue://>", "topic://>"],
    },
  ])("C8: local.> excluded, global.> crosses: $rule", async ({ consumed }) => {
    const connector = { excludedDestinations: ["queue://local.>", "topic://local.>"] };
    const sent = ["queue://global.q", "queue://local.q", "topic://global.t", "topic://local.t"];
    expect(await crossing(connector, sent, consumed)).toEqual(["queue://global.q", "topic://global.t"]);
  });
});

test("C9 over a duplex connector what is excluded stays readable here, what is included or always included crosses", async () => {
  const [excluded, included, always] = ["queue://excluded", "queue://included", "queue://always"];
  const lists = {
    excludedDestinations: [excluded],
    dynamicallyIncludedDestinations: [included],
    staticallyIncludedDestinations: [always],
  };
  const hub = { queues: ["excluded"], networkConnectors: [{ name: "spoke", to: "b", duplex: true, ...lists }] };
  const net = await simulate(networkOf("a -> b", {}, { brokers: { a: hub } }));
  const spoke = net.connect("b");
  for (const destination of [excluded, included, always]) await spoke.consume(destination);
  await net.run();
  for (const destination of [excluded, included, always]) net.send("a", destination, [destination]);
  await net.run();
  const here = net.connect("a");
  await here.consume(excluded);
  await net.run();
  expect([spoke.bodies().toSorted(), here.bodies()]).toEqual([[always, included], [excluded]]);
});

test.for([
  { rule: "without demand", consumed: [] },
  { rule: "with demand for it", consumed: ["queue://a.secret", "queue://a.open"] },
  { rule: "with demand for everything", consumed: ["queue://>"] },
])("N19 a statically included pattern doesn't pull what is excluded: $rule", async ({ consumed }) => {
  const connector = { staticallyIncludedDestinations: ["queue://a.>"], excludedDestinations: ["queue://a.secret"] };
  const secret = { queues: ["a.secret"] };
  const net = await simulate(networkOf("a -> b", connector, { brokers: { a: secret, b: secret } }));
  const client = net.connect("b");
  for (const destination of consumed) await client.consume(destination);
  await net.run();
  for (const destination of ["queue://a.secret", "queue://a.open"]) net.send("a", destination, [destination]);
  await net.run();
  expect([net.depth("a", "queue://a.secret"), net.depth("b", "queue://a.secret")]).toEqual([1, 0]);
  expect(client.bodies().length + net.depth("b", "queue://a.open")).toBe(1);
});

describe("what a link hears of", () => {
  const all = ["queue://orders.new", "queue://other", "topic://orders.new"];
  test.for<{ rule: string; connector: Connector; crosses: readonly string[] }>([
    { rule: "everything by default", connector: {}, crosses: all },
    {
      rule: "M6: nothing over a static bridge, whatever its dynamic list",
      connector: { staticBridge: true, dynamicallyIncludedDestinations: ["queue://other"] },
      crosses: [],
    },
    {
      rule: "M6: a static bridge carries its static includes",
      connector: { staticBridge: true, staticallyIncludedDestinations: ["queue://other"] },
      crosses: ["queue://other"],
    },
    { rule: "ADV-4: what destinationFilter names", connector: { destinationFilter: "Queue.orders.>" }, crosses: ["queue://orders.new"] },
    {
      rule: "ADV-4: destinationFilter narrows what is heard, the dynamic list what is permitted",
      connector: { destinationFilter: "Queue.>", dynamicallyIncludedDestinations: ["queue://other", "topic://orders.new"] },
      crosses: ["queue://other"],
    },
    {
      rule: "ADV-4: a filter that matches nothing leaves static includes",
      connector: { destinationFilter: "NONE", staticallyIncludedDestinations: ["topic://orders.new"] },
      crosses: ["topic://orders.new"],
    },
  ])("$rule", async ({ connector, crosses }) => {
    expect(await crossing(connector, all)).toEqual(crosses);
  });
});

describe("what a link doesn't permit", () => {
  test("it doesn't learn, and a consumer whose pattern is wider than its lists gets nothing (spec W7)", async () => {
    const net = await simulate(networkOf(pair, { dynamicallyIncludedDestinations: ["queue://orders.>"] }));
    const client = net.connect("b");
    for (const destination of ["queue://orders.new", "queue://other", "queue://>"]) await client.consume(destination);
    await net.run();
    expect(await learntBy(net, "a")).toEqual(["queue://orders.new"]);
  });
});

const learntBy = async (net: SimulatedNetwork, id: string): Promise<readonly string[]> => {
  const { brain, slice } = net.broker(id);
  const links = slice.connectors.filter(({ from }) => from === slice.broker).map(({ link }) => link);
  const buckets = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0"));
  const scopes = links.flatMap((link) => [...buckets, "patterns"].map((scope) => `${link}#${scope}`));
  return (await Promise.all(scopes.map((scope) => brain.list("learnt", scope)))).flat().map(({ id: key }) => key);
};
