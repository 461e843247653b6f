import { describe, expect, test } from "vitest";
import { sliceFor } from "../../../core/config/slice.ts";
import { brokerId } from "../../../core/ids.ts";
import { aNetwork, faultsOf, networkOf } from "./parse.ts";

const topic = { broker: "us", destination: "topic://prices" };
const arn = "arn:aws:sqs:us-east-1:123456789012:legacy";

/** A network with one bridge, from a queue of us to one of eu unless the test says something else. */
const aBridge = (bridge: object = {}, us: object = {}) =>
  aNetwork(us, {
    jmsBridges: [
      {
        name: "audit",
        source: { broker: "us", destination: "orders" },
        target: { broker: "eu", destination: "audit" },
        qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
        ...bridge,
      },
    ],
  });
const bridgeOf = (bridge: object = {}) => networkOf(aBridge(bridge)).jmsBridges[0];

describe("a JMS bridge", () => {
  test("has WildFly's defaults, and Artemis's none for the quality of service", () => {
    expect(bridgeOf()).toEqual({
      name: "audit",
      owner: "us",
      source: { broker: "us", destination: { kind: "queue", name: "orders" } },
      target: { broker: "eu", destination: { kind: "queue", name: "audit" } },
      qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
      maxBatchSize: 1,
      batchWindow: 0,
      failureRetryInterval: 5_000,
      addMessageIDInHeader: false,
      subscription: "bridge.audit",
    });
  });

  test("makes both its ends, and consumes its source: peers send there", () => {
    const network = networkOf(aBridge({ source: topic }));
    const [us, eu] = ["us", "eu"].map((id) => sliceFor(network, brokerId(id)));
    expect([us?.topics, us?.consumers, eu?.queues, eu?.consumers]).toEqual([
      ["prices"],
      [{ destination: "topic://prices", count: 1, priority: 0, durable: { clientID: "bridge", subscriptionName: "bridge.audit" } }],
      ["audit"],
      [],
    ]);
  });

  test("is told to the broker that runs it and to the one it ends at, to no other", () => {
    const network = networkOf(aBridge());
    expect(["us", "eu", "ap"].map((id) => sliceFor(network, brokerId(id)).jmsBridges?.length)).toEqual([1, 1, 0]);
  });

  test("whose source is an ARN runs at the broker of that region", () => {
    expect(bridgeOf({ source: { arn } })).toMatchObject({ owner: "us", source: { arn } });
  });

  test("has the subscription that clientID and subscriptionName name, whatever its own name", () => {
    const named = { source: topic, clientID: "bridge-1", subscriptionName: "audit" };
    expect(bridgeOf(named)?.subscription).toBe("bridge-1.audit");
  });
});

describe("J16 maxBatchTime -1 waits for a full batch as long as Lambda does", () => {
  test.for([
    { rule: "a batch of one is full at once", maxBatchSize: 1, maxBatchTime: -1, seconds: 0 },
    { rule: "a lone message of a larger batch waits 300 seconds, not for ever", maxBatchSize: 500, maxBatchTime: -1, seconds: 300 },
    { rule: "a time is kept, in whole seconds", maxBatchSize: 500, maxBatchTime: 1_200, seconds: 2 },
    { rule: "a time means nothing to a batch of one", maxBatchSize: 1, maxBatchTime: 1_200, seconds: 0 },
  ])("$rule", ({ maxBatchSize, maxBatchTime, seconds }) => {
    expect(bridgeOf({ maxBatchSize, maxBatchTime })?.batchWindow).toBe(seconds);
  });
});

const at = "jmsBridges.0";
describe("each mistake is one sentence", () => {
  test.for([
    {
      rule: "no quality of service: it would have to be guessed whether messages may get lost",
      bridge: { qualityOfServiceMode: undefined },
      says: `\`${at}.qualityOfServiceMode\`: is missing; it must be one of AT_MOST_ONCE, DUPLICATES_OK, ONCE_AND_ONLY_ONCE`,
    },
    {
      rule: "a misspelt key",
      bridge: { maxBatchsize: 10 },
      says: `\`${at}.maxBatchsize\` (10): no such key; did you mean \`maxBatchSize\`?`,
    },
    { rule: "a selector", bridge: { selector: "a = 1" }, says: `\`${at}.selector\` ("a = 1"): SpanMQ doesn't have it yet; remove it` },
    {
      rule: "a factory of connections",
      bridge: { failoverTimeout: 1 },
      says: `\`${at}.failoverTimeout\` (1): ActiveMQ has it, it means nothing on AWS; remove it`,
    },
    {
      rule: "a user at an end",
      bridge: { target: { arn, user: "u" } },
      says: `\`${at}.target.user\` ("u"): ActiveMQ has it, it means nothing on AWS; remove it`,
    },
    {
      rule: "a number of retries",
      bridge: { maxRetries: 3 },
      says: `\`${at}.maxRetries\` (3): must be -1, for ever: SpanMQ doesn't give a target up yet`,
    },
    {
      rule: "a batch time of 0",
      bridge: { maxBatchTime: 0 },
      says: `\`${at}.maxBatchTime\` (0): must be -1, or milliseconds from 1 to 300000`,
    },
    {
      rule: "an end that is both",
      bridge: { target: { broker: "eu", arn } },
      says: `\`${at}.target\` (an object): must be { broker, destination } or { arn }, not { broker, arn }`,
    },
    {
      rule: "an end that is half",
      bridge: { target: { broker: "eu" } },
      says: `\`${at}.target\` (an object): must be { broker, destination } or { arn }, not { broker }`,
    },
    {
      rule: "a broker that isn't there",
      bridge: { target: { broker: "eo", destination: "q" } },
      says: `\`${at}.target.broker\` ("eo"): there is no broker "eo"; did you mean \`eu\`?`,
    },
    {
      rule: "a pattern as an end",
      bridge: { source: { broker: "us", destination: "orders.>" } },
      says: `\`${at}.source.destination\` ("orders.>"): must be one destination: a pattern can be permitted and consumed by a client, not made or polled`,
    },
    {
      rule: "a FIFO destination of a broker",
      bridge: { target: { broker: "eu", destination: "queue://orders.fifo" } },
      says: `\`${at}.target.destination\` ("queue://orders.fifo"): must be a destination that is not FIFO: JMS bridges don't take FIFO yet`,
    },
    {
      rule: "a FIFO queue",
      bridge: { target: { arn: `${arn}.fifo` } },
      says: `\`${at}.target.arn\` ("${arn}.fifo"): must be the ARN of a queue or topic that is not FIFO: JMS bridges don't take FIFO yet`,
    },
    {
      rule: "an ARN that is none",
      bridge: { target: { arn: "arn:aws:sqs:us-east-1:12345:legacy" } },
      says: `\`${at}.target.arn\` ("arn:aws:sqs:us-east-1:12345:legacy"): must be the ARN of an SQS queue or an SNS topic, such as arn:aws:sqs:eu-west-1:123456789012:orders`,
    },
    {
      rule: "a source in a region without a broker",
      bridge: { source: { arn: arn.replace("us-east-1", "sa-east-1") } },
      says: `\`${at}.source.arn\` ("${arn.replace("us-east-1", "sa-east-1")}"): must be in the region of a broker, which runs the bridge; elsewhere use the construct JmsBridge`,
    },
    {
      rule: "a target that is its own source",
      bridge: { target: { broker: "us", destination: "queue://orders" } },
      says: `\`${at}.target\` (an object): must be another than its source: its messages would go round for ever`,
    },
    {
      rule: "a subscription name without a client id",
      bridge: { source: topic, subscriptionName: "s" },
      says: `\`${at}.subscriptionName\` ("s"): needs \`clientID\` beside it: together they name a durable subscription`,
    },
    {
      rule: "a client id without a subscription name",
      bridge: { source: topic, clientID: "c" },
      says: `\`${at}.clientID\` ("c"): needs \`subscriptionName\` beside it: together they name a durable subscription`,
    },
    {
      rule: "a client id alone, where the source is a queue: its other half would be no help",
      bridge: { clientID: "c" },
      says: `\`${at}.clientID\` ("c"): is for a topic of a broker as source; remove it`,
    },
  ])("$rule", ({ bridge, says }) => {
    expect(faultsOf(aBridge(bridge))).toEqual([says]);
  });

  test("a subscription to a queue", () => {
    expect(faultsOf(aBridge({ subscriptionName: "s", clientID: "c" }))).toEqual([
      `\`${at}.subscriptionName\` ("s"): is for a topic of a broker as source; remove it`,
      `\`${at}.clientID\` ("c"): is for a topic of a broker as source; remove it`,
    ]);
  });

  test("two bridges of one name", () => {
    const { jmsBridges, ...network } = aBridge() as { jmsBridges?: readonly object[] };
    expect(faultsOf({ ...network, jmsBridges: [...(jmsBridges ?? []), ...(jmsBridges ?? [])] })).toEqual([
      '`jmsBridges.1.name` ("audit"): is the name of `jmsBridges.0` too; rename one',
    ]);
  });

  test("a name that leaves no room in the role's", () => {
    const { brokers, jmsBridges } = aBridge({ name: "b".repeat(40) }) as { brokers: object; jmsBridges?: readonly object[] };
    expect(faultsOf({ network: "n".repeat(30), brokers, jmsBridges })).toEqual([
      `\`${at}.name\` ("${"b".repeat(40)}"): must have at most 16 characters: with the ids of network and broker it names a role`,
    ]);
  });
});
