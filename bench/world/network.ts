import { SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand } from "@aws-sdk/client-sqs";
import { dynamoBrain } from "../../aws/brain.ts";
import { type CallLimits, dynamoIn, patient, sqsIn } from "../../aws/clients.ts";
import { toEventMessage } from "../../aws/events.ts";
import { sha256 } from "../../aws/keys.ts";
import { sendToQueue } from "../../aws/sends.ts";
import { awsSetup } from "../../aws/setup.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { type Addresses, addressesOf } from "../../core/destination/addresses.ts";
import { brokerId, connectionId } from "../../core/ids.ts";
import { clientsFor, destroyClients } from "../../local/endpoints.ts";
import { type EmbeddedNetwork, type NetworkOptions, startNetwork } from "../../local/network.ts";
import { accountId } from "../../local/template/resource-type.ts";
import type { QueueAt } from "./queues.ts";
import { type Recorder, recordCalls } from "./recorder.ts";
import { until } from "./until.ts";

const connector = "a-b";
const unaudited = { destinationPolicies: [{ destination: "queue://swift", enableAudit: false }] };

/** A bridge from a queue of a's to a plain one of the same name in b's region. */
const bridgeOf = (name: string, qualityOfServiceMode: "ONCE_AND_ONLY_ONCE" | "DUPLICATES_OK") => ({
  name,
  source: { broker: "a", destination: name },
  target: { arn: `arn:aws:sqs:eu-west-1:${accountId}:${targetOfBridge(name)}` },
  qualityOfServiceMode,
  maxBatchSize: 10,
  maxBatchTime: 1_000,
});
const targetOfBridge = (name: string): string => `bench-target-of-${name}`;
const bridges = ["exact", "doubling"] as const;

/** Two brokers, one link, two JMS bridges, and a destination for each way that a message can go. */
export const benchNetwork = {
  network: "bench",
  brokers: {
    a: {
      region: "us-east-1",
      subscriptionGrace: 0,
      queues: ["far", "idle", "far.fifo"],
      topics: ["prices", "quotes", "prices.fifo"],
      consumers: ["queue://near", "queue://shared", "queue://second"].map((destination) => ({ destination })),
      networkConnectors: [{ name: connector, to: "b" }],
      ...unaudited,
    },
    b: {
      region: "eu-west-1",
      subscriptionGrace: 0,
      queues: ["far.fifo"],
      topics: ["quotes", "prices.fifo"],
      consumers: ["queue://far", "queue://far.fifo", "queue://swift", "queue://shared", "topic://prices", "topic://prices.fifo"].map(
        (destination) => ({
          destination,
        }),
      ),
      ...unaudited,
    },
  },
  jmsBridges: [bridgeOf("exact", "ONCE_AND_ONLY_ONCE"), bridgeOf("doubling", "DUPLICATES_OK")],
} satisfies NetworkInput;

/** A broker and plain SDK clients of its region. */
export type Side = ReturnType<typeof sideOf>;

/** The running network, and who calls what in it. */
export interface World {
  readonly a: Side;
  readonly b: Side;
  /** Plain queues that are subscribed to b's topics. */
  readonly subscriber: QueueAt;
  readonly fifoSubscriber: QueueAt;
  /** The queue of a client's subscription to another one of b's topics. */
  readonly clientQueue: QueueAt;
  readonly recorder: Recorder;
  readonly network: EmbeddedNetwork;
  stop(): Promise<void>;
}

export const startWorld = async ({ before }: Pick<NetworkOptions, "before"> = {}): Promise<World> => {
  // Log lines would be mixed into the output.
  Object.assign(process.env, { POWERTOOLS_LOG_LEVEL: "SILENT", POWERTOOLS_METRICS_DISABLED: "true" });
  const recorder = recordCalls();
  const network = await startNetwork(benchNetwork, { tick: false, load: recorder.load, ...(before && { before }) });
  const [a, b] = [sideOf(network, "a"), sideOf(network, "b")];
  const stop = async () => {
    for (const { clients } of [a, b]) destroyClients(clients);
    recorder.stop();
    await network.stop();
  };
  try {
    const [subscriber, fifoSubscriber] = [await subscribed(b, ""), await subscribed(b, ".fifo")];
    const clientQueue = await connected(b);
    for (const bridge of bridges) await b.clients.sqs.send(new CreateQueueCommand({ QueueName: targetOfBridge(bridge) }));
    await until(() => hasLearnt(a), "a never learnt what b wants", 100);
    return { a, b, subscriber, fifoSubscriber, clientQueue, recorder, network, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
};

/** A long poll waits for twenty seconds. */
const untilAnswered: CallLimits = { ...patient, requestTimeout: 30_000 };

const sideOf = (network: EmbeddedNetwork, broker: "a" | "b") => {
  const { region } = benchNetwork.brokers[broker];
  const setup = awsSetup(network.environmentFor(region));
  // As fast as those of our handlers: the bare loop calls with them.
  const [sqs, dynamodb] = [sqsIn(setup, untilAnswered)(region), dynamoIn(setup, untilAnswered)(region)];
  const clients = { ...clientsFor(network.endpoints, region), sqs, dynamodb };
  const place = { id: brokerId(broker), region, account: network.brokers[0]?.account ?? "" };
  const at: Addresses = addressesOf(benchNetwork.network, place, sha256);
  const queueAt = (name: string): QueueAt => ({ sqs, url: at.queueUrl(name) });
  return {
    at,
    clients,
    ingress: queueAt(at.ingressQueue),
    feedFifo: queueAt(at.feedQueue(true)),
    ingressFifo: queueAt(at.ingressFifoQueue),
    inbound: queueAt(at.inboundQueue(brokerId("a"), connector)),
    inboundFifo: queueAt(at.inboundQueue(brokerId("a"), connector, true)),
    undelivered: queueAt(at.undeliveredQueue(connector)),
    queue: (name: string) => queueAt(at.queue(name)),
    targetOf: (bridge: (typeof bridges)[number]) => queueAt(targetOfBridge(bridge)),
    brain: dynamoBrain({ dynamo: dynamodb, table: at.brainTable, now: Date.now }),
  };
};

const subscribed = async ({ at, clients: { sqs, sns } }: Side, suffix: "" | ".fifo"): Promise<QueueAt> => {
  const name = `bench-subscriber${suffix}`;
  await sqs.send(new CreateQueueCommand({ QueueName: name, ...(suffix && { Attributes: { FifoQueue: "true" } }) }));
  const TopicArn = at.topicArn(at.topic(`prices${suffix}`));
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint: at.queueArn(name) }));
  return { sqs, url: at.queueUrl(name) };
};

/** A client that subscribes and then takes nothing. */
const connected = async ({ at, brain, clients: { sqs } }: Side): Promise<QueueAt> => {
  const consumers = [{ id: "c1", destination: "topic://quotes", priority: 0 }];
  const state = { connection: connectionId("bench"), counter: 1, consumers, closed: false };
  await sendToQueue(sqs, at.queueUrl(at.controlQueue), [toEventMessage({ to: at.place.id, event: { event: "connection", state } })]);
  const isKnown = async () => (await brain.read("view", "", "topic://quotes"))?.value.subscribers?.queues.length === 1;
  await until(isKnown, "b never listed who subscribes to topic://quotes", 100);
  return { sqs, url: at.queueUrl(at.ownQueue("bench.c1.topic")) };
};

const hasLearnt = async ({ brain }: Side): Promise<boolean> => {
  const wanted = [
    "queue://far",
    "queue://far.fifo",
    "queue://swift",
    "queue://shared",
    "topic://prices",
    "topic://prices.fifo",
    "topic://quotes",
  ];
  const views = await Promise.all(wanted.map((key) => brain.read("view", "", key as never)));
  return views.every((view) => view?.value.candidates.some(({ to }) => to === "link"));
};
