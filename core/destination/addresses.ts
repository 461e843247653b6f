import type { BrokerId } from "../ids.ts";
import type { Destination } from "./destination.ts";
import { laneOf } from "./fifo.ts";
import { type PhysicalKind, physicalName } from "./physical-name.ts";
import { arnOf, type BrokerPlace, queueUrl } from "./place.ts";

/** Names and ARNs of everything one broker consists of. Whoever knows the configuration computes them without asking. */
export type Addresses = ReturnType<typeof addressesOf>;

/**
 * @example
 * const us = addressesOf("orders", { id: brokerId("us"), region: "us-east-1", account: "123456789012" }, hash);
 * us.queueUrl(us.queue("orders.new")); // https://sqs.us-east-1.amazonaws.com/123456789012/spanmq-orders-us-q-orders-new
 */
export const addressesOf = (network: string, place: BrokerPlace, hash: (text: string) => string) => {
  const named = (kind: PhysicalKind, name: string, limit: 80 | 256 = 80) => physicalName(network, place.id, kind, name, hash, { limit });
  const queue = (name: string) => named("q", name);
  const topic = (name: string) => named("t", name, 256);
  const temporary = (name: string) => named("tmp", name);
  return {
    place,
    /** All names of queues, topics and tables of the broker begin so, and no other broker's. */
    prefix: `spanmq-${network}-${place.id}-`,
    brainTable: named("sys", "brain"),
    auditTable: named("sys", "audit"),
    controlQueue: named("sys", "control"),
    ingressQueue: named("sys", "ingress"),
    /** Of FIFO destinations, ordered by group. */
    ingressFifoQueue: named("sys", laneOf("ingress", true)),
    /** What own topics feed dispatch with. */
    feedQueue: (fifo = false) => named("sys", laneOf("feed", fifo)),
    deadLettersQueue: named("sys", "dead.letters"),
    /** Of handlers that die on a FIFO queue, which takes no other kind: what is dead-lettered by verdict goes to the other. */
    deadLettersFifoQueue: named("sys", laneOf("dead.letters", true)),
    advisoryTopic: named("sys", "advisory"),
    dispatchRole: `spanmq-${network}-${place.id}-dispatch`,
    controlRole: `spanmq-${network}-${place.id}-control`,
    deploymentRole: `spanmq-${network}-${place.id}-deployment`,
    keyParameter: `/spanmq/${network}/${place.id}/signing-key`,
    /** At the link's owner: what its hand-overs and SNS subscriptions couldn't deliver. */
    undeliveredQueue: (connector: string, fifo = false) => named("sys", laneOf(`undelivered.${connector}`, fifo)),
    /** At the link's receiver. */
    inboundQueue: (from: BrokerId, connector: string, fifo = false) => named("in", laneOf(`${from}.${connector}`, fifo)),
    /** A JMS bridge's own queues, beside its source. */
    bridgeQueue: (bridge: string, what: "undelivered" | "orders") => named("sys", `bridge.${bridge}.${what}`),
    queue,
    topic,
    /** A client's own queue: private queue of a consumer, or the end of its topic subscription. */
    ownQueue: (name: string) => named("s", name),
    temporary,
    /** The queue or topic that a destination is. */
    nameOf: ({ kind, name }: Destination) => (kind === "queue" ? queue(name) : kind === "topic" ? topic(name) : temporary(name)),
    queueArn: (name: string) => arnOf("sqs", place, name),
    queueUrl: (name: string) => queueUrl(place, name),
    topicArn: (name: string) => arnOf("sns", place, name),
    tableArn: (name: string) => arnOf("dynamodb", place, `table/${name}`),
    roleArn: (name: string) => arnOf("iam", place, `role/${name}`),
    parameterArn: (name: string) => arnOf("ssm", place, `parameter${name}`),
  };
};
