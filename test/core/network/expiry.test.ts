import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { encodeProducer, type ProducerMessage } from "../../../core/message/encode.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const second = 1_000;
const minute = 60 * second;
const queue = "queue://TEST.FOO";
const deadLetters = "queue://ActiveMQ.DLQ";

const networkThat = (policy: object = {}, ways = "a -> b"): Promise<SimulatedNetwork> => {
  const destinationPolicies = ["queue://>", "topic://>"].map((destination) => ({ destination, ...policy }));
  const broker = { destinationPolicies, autoCreateDestinations: ["queue://>", "topic://>"] };
  return simulate(networkOf(ways, {}, { brokers: { a: broker, b: broker } }));
};

/** What a client of ours sends to the ingress, to live so long. */
const sendTo = (
  net: SimulatedNetwork,
  at: string,
  destination: string,
  texts: readonly string[],
  timeToLive: number,
  more: object = {},
) => {
  const { where } = net.broker(at);
  for (const text of texts) {
    const message: ProducerMessage = {
      destination: destinationOf(destination),
      body: { type: "text", text },
      timestamp: net.now(),
      expiration: net.now() + timeToLive,
      ...more,
    };
    net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), encodeProducer(message));
  }
};
const standing = (net: SimulatedNetwork, at: string, name: string): string[] => net.standing(at, name).map(({ body }) => body);

describe("what rests and expires goes to the dead letters by itself", () => {
  interface Case {
    readonly rule: string;
    readonly policy: object;
    readonly timeToLive: number;
    /** How long it rests, at least, and when it is gone at the latest. */
    readonly rests: number;
    readonly gone: number;
  }
  test.for<Case>([
    { rule: "when its time is over", policy: { expireMessagesPeriod: second }, timeToLive: 20 * second, rests: 19, gone: 40 },
    { rule: "at the end of the period", policy: {}, timeToLive: 5 * second, rests: 29, gone: 50 },
    { rule: "hours later, too", policy: {}, timeToLive: 120 * minute, rests: 119 * 60, gone: 122 * 60 },
  ])("$rule", async ({ policy, timeToLive, rests, gone }) => {
    const net = await networkThat(policy);
    sendTo(net, "a", queue, bodies("m", 3), timeToLive);
    await net.run(rests * second);
    expect([net.depth("a", queue), standing(net, "a", deadLetters)]).toEqual([3, []]);
    await net.run((gone - rests) * second);
    expect([net.depth("a", queue), standing(net, "a", deadLetters), net.problems()]).toEqual([0, bodies("m", 3), []]);
  });

  test("beside what lives on", async () => {
    const net = await networkThat();
    sendTo(net, "a", queue, ["old"], minute);
    net.send("a", queue, ["new"]);
    await net.run(3 * minute);
    expect([standing(net, "a", queue), standing(net, "a", deadLetters)]).toEqual([["new"], ["old"]]);
  });

  test("not with an expireMessagesPeriod of 0: somebody has to come", async () => {
    const net = await networkThat({ expireMessagesPeriod: 0 });
    sendTo(net, "a", queue, ["m"], minute);
    await net.run(120 * minute);
    expect([standing(net, "a", queue), standing(net, "a", deadLetters)]).toEqual([["m"], []]);
    const reader = net.connect("b");
    await reader.consume(queue);
    await net.run();
    expect([reader.bodies(), standing(net, "a", queue), standing(net, "a", deadLetters)]).toEqual([[], [], ["m"]]);
  });

  test("of a FIFO queue those behind it go on", async () => {
    const fifo = "queue://orders.fifo";
    const declared = { queues: ["orders.fifo"] };
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: declared, b: declared } }));
    const { where } = net.broker("a");
    const message = { destination: destinationOf(fifo), body: { type: "text", text: "g-0" }, timestamp: net.now() } as const;
    const order = { group: "g", deduplicationId: "0" };
    const wire = encodeProducer({ ...message, expiration: net.now() + minute, groupId: "g" });
    net.cloud.queues.send(where.own.queueArn(where.own.ingressFifoQueue), wire, { order });
    net.sendInOrder("a", fifo, ["g-1"]);
    await net.run(5 * minute);
    expect([standing(net, "a", fifo), standing(net, "a", deadLetters)]).toEqual([["g-1"], ["g-0"]]);
  });
});

describe("dead letters", () => {
  test("are consumed like any queue, and say what they were", async () => {
    const net = await networkThat({ deadLetterStrategy: { individualDeadLetterStrategy: { queuePrefix: "DLQ." } } });
    const reader = net.connect("a");
    await reader.consume("queue://DLQ.TEST.FOO");
    await net.run();
    sendTo(net, "a", queue, ["m"], minute);
    await net.run(3 * minute);
    expect(reader.received.map(({ message }) => message)).toMatchObject([
      {
        destination: destinationOf("queue://DLQ.TEST.FOO"),
        originalDestination: destinationOf(queue),
        expiration: 0,
        properties: { originalExpiration: { type: "long" } },
      },
    ]);
  });

  test("live as long as their strategy's expiration says", async () => {
    const net = await networkThat({ deadLetterStrategy: { sharedDeadLetterStrategy: { expiration: 10 * minute } } });
    sendTo(net, "a", queue, ["m"], minute);
    await net.run(8 * minute);
    expect(standing(net, "a", deadLetters)).toEqual(["m"]);
    const late = net.connect("a");
    await net.run(5 * minute);
    await late.consume(deadLetters);
    await net.run();
    expect([late.bodies(), standing(net, "a", deadLetters)]).toEqual([[], []]);
  });

  test("of a topic go to a topic with useQueueForTopicMessages false", async () => {
    const strategy = { individualDeadLetterStrategy: { topicPrefix: "DEAD.", useQueueForTopicMessages: false } };
    const net = await networkThat({ deadLetterStrategy: strategy });
    const [reader, buried] = [net.connect("b"), net.connect("b")];
    await reader.consume("topic://PRICES");
    await buried.consume("topic://DEAD.PRICES");
    await net.run();
    const { where } = net.broker("a");
    const message = { destination: destinationOf("topic://PRICES"), body: { type: "text", text: "m" }, timestamp: net.now() } as const;
    net.cloud.topics.publish(where.topicOf(message.destination).arn, encodeProducer({ ...message, expiration: net.now() - 1 }));
    await net.run();
    expect([reader.bodies(), buried.bodies()]).toEqual([[], ["m"]]);
  });

  test("cross where a connector permits them and somebody wants them", async () => {
    const net = await networkThat();
    sendTo(net, "a", queue, ["m"], minute);
    await net.run(3 * minute);
    const reader = net.connect("b");
    await reader.consume(deadLetters);
    await net.run();
    expect(reader.bodies()).toEqual(["m"]);
  });

  test("FWD-8: a topic's copy that expired on its way is buried where it arrives", async () => {
    const net = await networkThat();
    const reader = net.connect("b");
    await reader.consume("topic://PRICES");
    await net.run();
    const { where } = net.broker("a");
    const message = { destination: destinationOf("topic://PRICES"), body: { type: "text", text: "m" }, timestamp: net.now() } as const;
    net.cloud.topics.publish(where.topicOf(message.destination).arn, encodeProducer({ ...message, expiration: net.now() - 1 }));
    await net.run();
    expect([reader.bodies(), standing(net, "b", deadLetters)]).toEqual([[], ["m"]]);
  });
});

describe("what has expired where it waits for its consumer", () => {
  /** A consumer that looks at what came only after it has expired. */
  const late = async (
    net: SimulatedNetwork,
    destination: string,
    consume: () => Promise<unknown>,
    resume: () => void,
    more: object = {},
  ) => {
    await consume();
    await net.run();
    sendTo(net, "a", destination, ["m"], minute, more);
    await net.run(2 * minute);
    resume();
    await net.run(minute);
  };
  const pausedAt = (net: SimulatedNetwork, at: string) => {
    const client = net.connect(at);
    client.pause();
    return { client, resume: client.resume };
  };

  test("is buried by its broker, as the message that it was", async () => {
    const net = await networkThat();
    const { client, resume } = pausedAt(net, "b");
    await late(net, queue, () => client.consume(queue), resume);
    expect([client.bodies(), standing(net, "b", deadLetters), net.depth("b", queue)]).toEqual([[], ["m"], 0]);
    const reader = net.connect("b");
    await reader.consume(deadLetters);
    await net.run();
    const [{ message } = { message: undefined }] = reader.received;
    expect(message).toMatchObject({ brokerPath: ["a"], originalDestination: destinationOf(queue) });
    const [crossed] = net.broker("b").outcomes.filter(({ cameBy }) => cameBy?.startsWith("a:"));
    expect(message?.id).toBe(crossed?.messageId);
    expect(net.problems()).toEqual([]);
  });

  test("is counted", async () => {
    const net = await networkThat();
    const { client, resume } = pausedAt(net, "b");
    await late(net, queue, () => client.consume(queue), resume);
    const steps = net.broker("b").outcomes.flatMap((outcome) => outcome.steps);
    expect(steps).toContainEqual(expect.objectContaining({ verdict: "dead-lettered", reason: "expired", target: deadLetters }));
  });

  test("is dropped, where its policy discards it", async () => {
    const net = await networkThat({ deadLetterStrategy: { discarding: {} } });
    const { client, resume } = pausedAt(net, "a");
    await late(net, queue, () => client.consume(queue), resume);
    expect([client.bodies(), net.depth("a", queue), net.depth("a", deadLetters)]).toEqual([[], 0, 0]);
  });

  test("of a durable subscription goes to dead letters of its own, with destinationPerDurableSubscriber", async () => {
    const strategy = { individualDeadLetterStrategy: { topicPrefix: "DLQ.", destinationPerDurableSubscriber: true } };
    const policies = { destinationPolicies: [{ destination: "topic://>", deadLetterStrategy: strategy }], topics: ["PRICES"] };
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: policies } }));
    const { client, resume } = pausedAt(net, "a");
    const durable = { clientID: "me", subscriptionName: "audit" };
    await late(net, "topic://PRICES", () => client.consume("topic://PRICES", { durable }), resume);
    expect([client.bodies(), standing(net, "a", "queue://DLQ.PRICES.me:audit")]).toEqual([[], ["m"]]);
  });

  test.for(["a,b", "audit.>", "x.fifo", "audit?"])(
    "of a durable subscription named %s, which makes no queue's name, goes to the broker's",
    async (subscriptionName) => {
      const strategy = { individualDeadLetterStrategy: { destinationPerDurableSubscriber: true } };
      const policies = { destinationPolicies: [{ destination: "topic://>", deadLetterStrategy: strategy }], topics: ["PRICES"] };
      const net = await simulate(networkOf("a -> b", {}, { brokers: { a: policies } }));
      const { client, resume } = pausedAt(net, "a");
      await late(net, "topic://PRICES", () => client.consume("topic://PRICES", { durable: { clientID: "me", subscriptionName } }), resume);
      expect([client.bodies(), net.deadLetters("a").length, net.problems()]).toEqual([[], 1, []]);
    },
  );
});
