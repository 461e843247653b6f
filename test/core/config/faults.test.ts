import { describe, expect, test } from "vitest";
import { aConnector, aNetwork, faultsOf } from "./parse.ts";

const connector = "brokers.us.networkConnectors.0";
const queueLine = (text: unknown) => aNetwork({ queues: [text] });

describe("each mistake is one sentence with key path, value and what to write", () => {
  test.for([
    {
      rule: "no configuration at all",
      input: undefined,
      says: "the configuration: is missing; it must be an object with `network` and `brokers`",
    },
    { rule: "a list for a configuration", input: [], says: "the configuration (a list): must be an object with `network` and `brokers`" },
    {
      rule: "a network id in capitals",
      input: { ...aNetwork(), network: "Orders" },
      says: '`network` ("Orders"): must be the id of the network: lower-case letters and digits',
    },
    {
      rule: "a network id that leaves no room for names",
      input: { ...aNetwork(), network: "n".repeat(40) },
      says: `\`network\` ("${"n".repeat(40)}"): must have at most 39 characters: every physical name begins with it`,
    },
    {
      rule: "a misspelt key of the network",
      input: aNetwork({}, { link: [] }),
      says: "`link` (a list): no such key; did you mean `links`?",
    },
    {
      rule: "a key of the network nobody knows",
      input: aNetwork({}, { colour: "red" }),
      says: '`colour` ("red"): no such key; a network has $schema, network, brokers, links, jmsBridges',
    },
    {
      rule: "brokers in a list",
      input: { network: "orders", brokers: [] },
      says: "`brokers` (a list): must be an object with one broker per id",
    },
    { rule: "no broker at all", input: { network: "orders", brokers: {} }, says: "`brokers` (an object): must have at least one broker" },
    {
      rule: "a broker id outside [a-z0-9]",
      input: { network: "orders", brokers: { "US-1": { region: "us-east-1" } } },
      says: '`brokers.US-1` ("US-1"): must have an id of lower-case letters and digits, such as `us1`',
    },
    {
      rule: "a broker id of which nothing valid is left",
      input: { network: "orders", brokers: { "--": { region: "us-east-1" } } },
      says: '`brokers.--` ("--"): must have an id of lower-case letters and digits',
    },
    {
      rule: "a broker id that JavaScript would swallow",
      input: JSON.parse('{"network":"orders","brokers":{"us":{"region":"us-east-1"},"__proto__":{"region":"us-east-1"}}}'),
      says: '`brokers.__proto__` ("__proto__"): must have an id of lower-case letters and digits, such as `proto`',
    },
    {
      rule: "a broker id too long for the names of roles",
      input: { network: "orders", brokers: { ["e".repeat(35)]: { region: "us-east-1" } } },
      says: `\`brokers.${"e".repeat(35)}\` ("${"e".repeat(35)}"): must have an id of at most 34 characters (40 with the network's)`,
    },
    {
      rule: "a region in other words",
      input: aNetwork({ region: "Ireland" }),
      says: '`brokers.us.region` ("Ireland"): must be an AWS region such as eu-west-1',
    },
    {
      rule: "a region that is missing",
      input: { network: "n", brokers: { us: {} } },
      says: "`brokers.us.region`: is missing; it must be an AWS region such as eu-west-1",
    },
    {
      rule: "a required key that is only misspelt",
      input: { network: "n", brokers: { us: { regoin: "us-east-1" } } },
      says: '`brokers.us.regoin` ("us-east-1"): no such key; did you mean `region`?',
    },
    {
      rule: "an account as a number",
      input: aNetwork({ account: 123456789012 }),
      says: '`brokers.us.account` (123456789012): must be an AWS account: twelve digits as text, such as "123456789012"',
    },
    {
      rule: "an account of eleven digits",
      input: aNetwork({ account: "12345678901" }),
      says: '`brokers.us.account` ("12345678901"): must be an AWS account: twelve digits as text, such as "123456789012"',
    },
    {
      rule: "text for a flag",
      input: aNetwork({ advisorySupport: "no" }),
      says: '`brokers.us.advisorySupport` ("no"): must be true or false',
    },
    {
      rule: "a filter whose rest isn't last",
      input: aNetwork({ networkConnectors: [{ to: "eu", dynamicallyIncludedDestinations: ["queue://a.>.c"] }] }),
      says: '`brokers.us.networkConnectors.0.dynamicallyIncludedDestinations.0` ("queue://a.>.c"): has a `>` that isn\'t last, where it would be a name like any other: write `*` for one part',
    },
    {
      rule: "a grace that is no number",
      input: aNetwork({ subscriptionGrace: "15s" }),
      says: '`brokers.us.subscriptionGrace` ("15s"): must be a whole number of seconds, at most 900',
    },
    {
      rule: "a lease shorter than two probes",
      input: aNetwork({ peerLease: 60 }),
      says: "`brokers.us.peerLease` (60): must be a whole number of seconds, at least 120 (probes go out each minute)",
    },
    {
      rule: "a removal policy of CDK's that a broker can't have",
      input: aNetwork({ removalPolicy: "snapshot" }),
      says: '`brokers.us.removalPolicy` ("snapshot"): must be "retain" or "destroy"',
    },
    {
      rule: "one queue instead of a list",
      input: aNetwork({ queues: "a" }),
      says: '`brokers.us.queues` ("a"): must be a list of queue names',
    },
    {
      rule: "a queue that is a number",
      input: queueLine(5),
      says: '`brokers.us.queues.0` (5): must be the name of a queue, or { "name": …, "removed": true }',
    },
    {
      rule: "a queue without a name",
      input: queueLine(" "),
      says: '`brokers.us.queues.0` (" "): must name a destination, such as queue://orders.new or topic://prices',
    },
    {
      rule: "a destination of an unknown kind",
      input: queueLine("queues://a"),
      says: '`brokers.us.queues.0` ("queues://a"): has an unknown kind: write queue:// or topic://',
    },
    {
      rule: "a topic among the queues",
      input: queueLine("topic://a"),
      says: '`brokers.us.queues.0` ("topic://a"): must be a queue: name it under `topics`',
    },
    {
      rule: "a queue among the topics",
      input: aNetwork({ topics: ["queue://a"] }),
      says: '`brokers.us.topics.0` ("queue://a"): must be a topic: name it under `queues`',
    },
    {
      rule: "a temporary queue",
      input: queueLine("temp-queue://a"),
      says: '`brokers.us.queues.0` ("temp-queue://a"): is temporary: only queue:// and topic:// are configured',
    },
    {
      rule: "a pattern among the queues",
      input: queueLine("a.>"),
      says: '`brokers.us.queues.0` ("a.>"): must be one destination: a pattern can be permitted and consumed by a client, not made or polled',
    },
    {
      rule: "two queues in one text",
      input: queueLine("a,b"),
      says: '`brokers.us.queues.0` ("a,b"): must be one destination: list each one on its own',
    },
    {
      rule: "a queue with options",
      input: queueLine("a?forceDurable=true"),
      says: '`brokers.us.queues.0` ("a?forceDurable=true"): has an option (?forceDurable=true): ActiveMQ has it, SpanMQ doesn\'t yet; remove it',
    },
    {
      rule: "a queue declared twice",
      input: aNetwork({ queues: ["a", "queue://a"] }),
      says: '`brokers.us.queues.1` ("queue://a"): is declared twice; remove one',
    },
    {
      rule: "a topic declared twice",
      input: aNetwork({ topics: ["a", "a"] }),
      says: '`brokers.us.topics.1` ("a"): is declared twice; remove one',
    },
    {
      rule: "a consumer on a pattern",
      input: aNetwork({ consumers: [{ destination: "queue://a.*" }] }),
      says: '`brokers.us.consumers.0.destination` ("queue://a.*"): must be one destination: a pattern can be permitted and consumed by a client, not made or polled',
    },
    {
      rule: "a consumer without a destination",
      input: aNetwork({ consumers: [{}] }),
      says: "`brokers.us.consumers.0.destination`: is missing; it must be a destination such as queue://orders.new",
    },
    {
      rule: "half a durable subscription",
      input: aNetwork({ consumers: [{ destination: "topic://a", clientID: "c" }] }),
      says: '`brokers.us.consumers.0.clientID` ("c"): needs clientID and subscriptionName together',
    },
    {
      rule: "a durable subscription to a queue",
      input: aNetwork({ consumers: [{ destination: "a", clientID: "c", subscriptionName: "n" }] }),
      says: '`brokers.us.consumers.0.clientID` ("c"): is for topics: a queue keeps its messages anyway; remove it and subscriptionName',
    },
    {
      rule: "a durable subscription without a name",
      input: aNetwork({ consumers: [{ destination: "topic://a", clientID: "c", subscriptionName: "" }] }),
      says: '`brokers.us.consumers.0.subscriptionName` (""): must be a subscriptionName of 1 to 100 characters',
    },
    {
      rule: "no consumers at all behind a consumer",
      input: aNetwork({ consumers: [{ destination: "a", count: 0 }] }),
      says: "`brokers.us.consumers.0.count` (0): must be a whole number of consumers, at least 1",
    },
    {
      rule: "a durable subscription declared in two lines",
      input: aNetwork({
        consumers: ["a", "b"].map((topic) => ({ destination: `topic://${topic}`, clientID: "c", subscriptionName: "s" })),
      }),
      says: "`brokers.us.consumers.1` (an object): repeats clientID and subscriptionName, which name one subscription; give it another name",
    },
    {
      rule: "a consumer declared in two lines",
      input: aNetwork({ consumers: [{ destination: "a" }, { destination: "queue://a", count: 2 }] }),
      says: "`brokers.us.consumers.1` (an object): repeats destination, priority and selector; add its count to the other line",
    },
    {
      rule: "what is no selector",
      input: aNetwork({ consumers: [{ destination: "a", selector: "x = " }] }),
      says: '`brokers.us.consumers.0.selector` ("x = "): must be a selector: at column 5 a value is expected, not the end',
    },
    {
      rule: "a selector longer than a table's row should be",
      input: aNetwork({ consumers: [{ destination: "a", selector: `x = '${"y".repeat(2_000)}'` }] }),
      says: `\`brokers.us.consumers.0.selector\` ("x = '${"y".repeat(55)}…"): must be a selector of at most 2000 characters`,
    },
    {
      rule: "a destination policy that isn't built yet",
      input: aNetwork({ destinationPolicies: [{ destination: ">", queuePrefetch: 5 }] }),
      says: "`brokers.us.destinationPolicies.0.queuePrefetch` (5): ActiveMQ has it, SpanMQ doesn't yet; remove it",
    },
    {
      rule: "a policy entry's queue as the manual writes it",
      input: aNetwork({ destinationPolicies: [{ destination: ">", queue: "orders.>" }] }),
      says: '`brokers.us.destinationPolicies.0.queue` ("orders.>"): write `destination` instead, such as queue://orders.>',
    },
    {
      rule: "the element around a conditional filter",
      input: aNetwork({ destinationPolicies: [{ destination: ">", networkBridgeFilterFactory: {} }] }),
      says: "`brokers.us.destinationPolicies.0.networkBridgeFilterFactory` (an object): write what it holds, `conditionalNetworkBridgeFilterFactory`, in the policy itself",
    },
    {
      rule: "a name of a broker beside its id",
      input: aNetwork({ brokerName: "east" }),
      says: '`brokers.us.brokerName` ("east"): its key in `brokers` is the broker\'s name; remove it',
    },
    {
      rule: "a kind without its slashes",
      input: aNetwork({ networkConnectors: [{ to: "eu", excludedDestinations: ["topic:prices"] }] }),
      says: `\`${connector}.excludedDestinations.0\` ("topic:prices"): has an unknown kind: write queue:// or topic://`,
    },
    {
      rule: "a replay delay before the message was there",
      input: aNetwork({ destinationPolicies: [{ destination: ">", replayDelay: -1 }] }),
      says: "`brokers.us.destinationPolicies.0.replayDelay` (-1): must be a whole number of milliseconds, 0 or more",
    },
    {
      rule: "two dead-letter strategies",
      input: aNetwork({
        destinationPolicies: [{ destination: ">", deadLetterStrategy: { discarding: {}, sharedDeadLetterStrategy: {} } }],
      }),
      says: "`brokers.us.destinationPolicies.0.deadLetterStrategy` (an object): must have one key: sharedDeadLetterStrategy, individualDeadLetterStrategy or discarding",
    },
    {
      rule: "a destination that would be its own dead letters'",
      input: aNetwork({
        destinationPolicies: [{ destination: ">", deadLetterStrategy: { individualDeadLetterStrategy: { queuePrefix: "" } } }],
      }),
      says: "`brokers.us.destinationPolicies.0.deadLetterStrategy.individualDeadLetterStrategy` (an object): must have a prefix or a suffix, or a destination would be its own dead letters'",
    },
    ...["DLQ,", "*.", "x".repeat(300)].map((queuePrefix) => ({
      rule: `dead letters named ${queuePrefix.slice(0, 5)}…`,
      input: aNetwork({
        destinationPolicies: [{ destination: ">", deadLetterStrategy: { individualDeadLetterStrategy: { queuePrefix } } }],
      }),
      says: "`brokers.us.destinationPolicies.0.deadLetterStrategy.individualDeadLetterStrategy` (an object): must make one name of a destination's that isn't FIFO: its prefixes and suffixes are short, without commas, wildcards and `.fifo`",
    })),
    {
      rule: "a FIFO queue for dead letters",
      input: aNetwork({
        destinationPolicies: [{ destination: ">", deadLetterStrategy: { sharedDeadLetterStrategy: { deadLetterQueue: "x.fifo" } } }],
      }),
      says: '`brokers.us.destinationPolicies.0.deadLetterStrategy.sharedDeadLetterStrategy.deadLetterQueue` ("x.fifo"): must be the name of one queue that isn\'t FIFO',
    },
    {
      rule: "the audit of a dead-letter strategy",
      input: aNetwork({
        destinationPolicies: [{ destination: ">", deadLetterStrategy: { sharedDeadLetterStrategy: { enableAudit: true } } }],
      }),
      says: "`brokers.us.destinationPolicies.0.deadLetterStrategy.sharedDeadLetterStrategy.enableAudit` (true): ActiveMQ has it, it means nothing on AWS; remove it",
    },
    {
      rule: "a window that never opens",
      input: aNetwork({ destinationPolicies: [{ destination: ">", rateDuration: 0 }] }),
      says: "`brokers.us.destinationPolicies.0.rateDuration` (0): must be a whole number of milliseconds, 1 or more",
    },
    {
      rule: "a filter's delay before the message was there",
      input: aNetwork({ destinationPolicies: [{ destination: ">", conditionalNetworkBridgeFilterFactory: { replayDelay: -1 } }] }),
      says: "`brokers.us.destinationPolicies.0.conditionalNetworkBridgeFilterFactory.replayDelay` (-1): must be a whole number of milliseconds, 0 or more",
    },
    {
      rule: "a policy's key within its filter",
      input: aNetwork({ destinationPolicies: [{ destination: ">", conditionalNetworkBridgeFilterFactory: { enableAudit: false } }] }),
      says: "`brokers.us.destinationPolicies.0.conditionalNetworkBridgeFilterFactory.enableAudit` (false): no such key; a conditional filter has replayWhenNoConsumers, replayDelay, selectorAware, rateLimit, rateDuration",
    },
    {
      rule: "a connector that is no object",
      input: aNetwork({ networkConnectors: ["eu"] }),
      says: `\`${connector}\` ("eu"): must be an object: a network connector`,
    },
    {
      rule: "a connector that leads nowhere",
      input: aNetwork({ networkConnectors: [{}] }),
      says: `\`${connector}.to\`: is missing; it must be the id of a broker`,
    },
    {
      rule: "a connector to a misspelt broker",
      input: aConnector({ to: "au" }),
      says: `\`${connector}.to\` ("au"): there is no broker "au"; did you mean \`eu\`?`,
    },
    {
      rule: "a connector to a broker unlike any",
      input: aConnector({ to: "berlin" }),
      says: `\`${connector}.to\` ("berlin"): there is no broker "berlin"; the brokers are us, eu, ap`,
    },
    {
      rule: "a connector to its own broker",
      input: aConnector({ to: "us" }),
      says: `\`${connector}.to\` ("us"): must lead to another broker than its own`,
    },
    {
      rule: "a misspelt key of a connector",
      input: aConnector({ netwrokTTL: 2 }),
      says: `\`${connector}.netwrokTTL\` (2): no such key; did you mean \`networkTTL\`?`,
    },
    {
      rule: "a key in other letters",
      input: aConnector({ networkTtl: 2 }),
      says: `\`${connector}.networkTtl\` (2): no such key; did you mean \`networkTTL\`?`,
    },
    {
      rule: "a manual's key that isn't built yet",
      input: aConnector({ useVirtualDestSubs: true }),
      says: `\`${connector}.useVirtualDestSubs\` (true): ActiveMQ has it, SpanMQ doesn't yet; remove it`,
    },
    {
      rule: "a filter of advisories that names destinations",
      input: aConnector({ destinationFilter: "queue://orders.>" }),
      says: `\`${connector}.destinationFilter\` ("queue://orders.>"): must be names of consumer advisories, such as \`Queue.orders.>\``,
    },
    {
      rule: "a manual's key without a meaning here",
      input: aConnector({ brokerName: "shop" }),
      says: `\`${connector}.brokerName\` ("shop"): ActiveMQ has it, it means nothing on AWS; remove it`,
    },
    {
      rule: "a secret of another type than the manual's, which isn't shown",
      input: aConnector({ remotePassword: 4711 }),
      says: `\`${connector}.remotePassword\` (a secret): must be text`,
    },
    {
      rule: "a TTL below -1",
      input: aConnector({ messageTTL: -2 }),
      says: `\`${connector}.messageTTL\` (-2): must be a whole number of hops, or -1 for no limit`,
    },
    {
      rule: "half a hop",
      input: aConnector({ networkTTL: -1.5 }),
      says: `\`${connector}.networkTTL\` (-1.5): must be a whole number of hops, or -1 for no limit`,
    },
    {
      rule: "a priority that is no signed byte",
      input: aConnector({ consumerPriorityBase: 200 }),
      says: `\`${connector}.consumerPriorityBase\` (200): must be a whole number from -128 to 127`,
    },
    {
      rule: "a connector's name with a space",
      input: aConnector({ name: "to eu" }),
      says: `\`${connector}.name\` ("to eu"): must be a name of letters, digits, '.', '_' and '-', at most 60, and not end in .fifo`,
    },
    {
      rule: "an option of an included destination that isn't known",
      input: aConnector({ staticallyIncludedDestinations: ["topic://a?consumer.priority=3"] }),
      says: `\`${connector}.staticallyIncludedDestinations.0\` ("topic://a?consumer.priority=3"): has an option (?consumer.priority=3): ActiveMQ has it, SpanMQ doesn't yet; remove it`,
    },
    {
      rule: "an included queue that shall be durable",
      input: aConnector({ dynamicallyIncludedDestinations: ["a?forceDurable=true"] }),
      says: `\`${connector}.dynamicallyIncludedDestinations.0\` ("a?forceDurable=true"): has ?forceDurable, which is for topics: a queue keeps its messages anyway; remove it`,
    },
    {
      rule: "an excluded topic that shall be durable",
      input: aConnector({ excludedDestinations: ["topic://a?forceDurable=true"] }),
      says: `\`${connector}.excludedDestinations.0\` ("topic://a?forceDurable=true"): has an option (?forceDurable=true): ActiveMQ has it, SpanMQ doesn't yet; remove it`,
    },
    {
      rule: "two connectors of one name on one broker",
      input: aNetwork({
        networkConnectors: [
          { name: "x", to: "eu" },
          { name: "x", to: "ap" },
        ],
      }),
      says: '`brokers.us.networkConnectors.1` ("x"): is a second connector named "x" on broker us, beside `brokers.us.networkConnectors.0`; rename one',
    },
    {
      rule: "two connectors that were given no name",
      input: aNetwork({ networkConnectors: [{ to: "eu" }, { to: "ap" }] }),
      says: '`brokers.us.networkConnectors.1` ("NC"): is a second connector named "NC" on broker us, beside `brokers.us.networkConnectors.0`; rename one',
    },
    {
      rule: "two connectors of one name by the mirror of a duplex one",
      input: {
        network: "orders",
        brokers: {
          eu: { region: "eu-west-1", networkConnectors: [{ name: "x", to: "us" }] },
          us: { region: "us-east-1", networkConnectors: [{ name: "x", to: "eu", duplex: true }] },
        },
      },
      says: '`brokers.us.networkConnectors.0` ("x"): the other direction of this duplex connector is a second connector named "x" on broker eu, beside `brokers.eu.networkConnectors.0`; rename one',
    },
    {
      rule: "a removed queue without its name",
      input: queueLine({ removed: true }),
      says: "`brokers.us.queues.0.name`: is missing; it must be a destination such as queue://orders.new",
    },
    {
      rule: "a removed queue that names several",
      input: queueLine({ name: "a.>", removed: true }),
      says: '`brokers.us.queues.0.name` ("a.>"): must be one destination: a pattern can be permitted and consumed by a client, not made or polled',
    },
    {
      rule: "a misspelt key of a removed queue",
      input: queueLine({ name: "a", remove: true }),
      says: "`brokers.us.queues.0.remove` (true): no such key; did you mean `removed`?",
    },
    {
      rule: "a key of a declared topic that is still to come",
      input: aNetwork({ topics: [{ name: "t", adopted: "arn" }] }),
      says: '`brokers.us.topics.0.adopted` ("arn"): SpanMQ doesn\'t have it yet; remove it',
    },
    {
      rule: "producers that are neither ours nor anybody's",
      input: aNetwork({ topics: [{ name: "t", producers: "mine" }] }),
      says: '`brokers.us.topics.0.producers` ("mine"): must be "any" or "spanmq"',
    },
    {
      rule: "producers of a queue, which nobody filters",
      input: aNetwork({ queues: [{ name: "q", producers: "spanmq" }] }),
      says: '`brokers.us.queues.0.producers` ("spanmq"): no such key; a declared queue has name, removed',
    },
    {
      rule: "a queue that stays and is removed",
      input: aNetwork({ queues: ["a", { name: "queue://a", removed: true }] }),
      says: "`brokers.us.queues.1` (an object): is declared twice; remove one",
    },
    {
      rule: "two connectors of one name by a link",
      input: aConnector({ name: "us-ap", to: "eu" }, { links: ["us -> ap"] }),
      says: '`links.0` ("us-ap"): is a second connector named "us-ap" on broker us, beside `brokers.us.networkConnectors.0`; rename one',
    },
    {
      rule: "a link without an arrow",
      input: aNetwork({}, { links: ["eu ap"] }),
      says: '`links.0` ("eu ap"): must be written "eu <-> ap" (both ways) or "eu -> ap"',
    },
    {
      rule: "a link that points back",
      input: aNetwork({}, { links: ["eu <- ap"] }),
      says: '`links.0` ("eu <- ap"): must be written "eu <-> ap" (both ways) or "eu -> ap"',
    },
    {
      rule: "a link to an unknown broker",
      input: aNetwork({}, { links: ["eu <-> sa"] }),
      says: '`links.0` ("eu <-> sa"): there is no broker "sa"; the brokers are us, eu, ap',
    },
    {
      rule: "a link of a broker to itself",
      input: aNetwork({}, { links: ["eu -> eu"] }),
      says: '`links.0` ("eu -> eu"): must lead to another broker than its own',
    },
  ])("$rule", ({ input, says }) => {
    expect(faultsOf(input)).toEqual([says]);
  });

  test("no account anywhere is said once per broker that has none", () => {
    const brokers = { us: { region: "us-east-1", account: "111111111111" }, eu: { region: "eu-west-1" } };
    expect(faultsOf({ network: "orders", brokers }, {})).toEqual([
      '`brokers.eu.account`: is missing; it must be the AWS account it lives in, such as "123456789012" (or sign in to AWS: then your credentials tell it)',
    ]);
  });

  test("a long value is cut", () => {
    expect(faultsOf(aNetwork({ region: "x".repeat(1000) }))[0]).toContain(`("${"x".repeat(60)}…")`);
  });
});

test("all mistakes come together, in the order of the file", () => {
  const input = {
    brokers: {
      us: {
        queues: ["b", "a.>", "b"],
        regoin: "us-east-1",
        networkConnectors: [
          { to: "eu", duplex: 1, name: "x" },
          { to: "xx", name: "x" },
        ],
      },
    },
    links: ["us"],
    network: "Orders",
  };
  expect(faultsOf(input).map((sentence) => sentence.split("`")[1])).toEqual([
    "brokers.us.queues.1",
    "brokers.us.queues.2",
    "brokers.us.regoin",
    "brokers.us.networkConnectors.0.to",
    "brokers.us.networkConnectors.0.duplex",
    "brokers.us.networkConnectors.1",
    "brokers.us.networkConnectors.1.to",
    "links.0",
    "network",
  ]);
});

test("a wildcard in a static include is allowed", () => {
  expect(faultsOf(aConnector({ staticallyIncludedDestinations: ["queue://orders.>", "topic://*.eu"] }))).toEqual([]);
});

test("consumers of one destination may differ in priority", () => {
  const consumers = [{ destination: "a" }, { destination: "a", priority: 5 }, { destination: "topic://a" }];
  expect(faultsOf(aNetwork({ consumers }))).toEqual([]);
});
