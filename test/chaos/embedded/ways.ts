import { PublishCommand } from "@aws-sdk/client-sns";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Connection } from "../../../client/index.ts";
import { type Cell, isOrdered } from "../cells.ts";
import { type BrokerName, brokers, networkName, regions, type StandingNetwork } from "./standing-network.ts";

/** How a cell's messages are sent, and read. */
export interface Way {
  /** Where they are sent, to be drawn from: most have to cross. */
  readonly from: readonly BrokerName[];
  /** Who is to have each. */
  readonly readers: readonly string[];
  /** Those of one producer are in order. */
  groupOf(at: BrokerName): string | undefined;
  send(network: StandingNetwork, at: BrokerName, body: string): Promise<unknown>;
  /** Opens its readers: queues are read in eu, what the bridge brings where it ends; a topic in both. */
  read(connections: Readonly<Record<BrokerName, Connection>>, handlerOf: HandlerOf): Promise<unknown>;
}

type HandlerOf = (reader: string) => Parameters<Connection["consume"]>[1];

const bridged = "embedded-bridge.ONCE_AND_ONLY_ONCE";
export const bridge = { source: `${bridged}.source`, target: bridged };
/** Declared at both brokers. */
export const orderedQueue = "embedded-fifo.audited.fifo";

/** Its reader has no `once`. */
export const isBare = (cell: Cell): boolean => cell.startsWith("embedded-bare.");

const physical = (name: string) => name.replace(/[^A-Za-z0-9]/g, (sign) => (sign === "." ? "-" : `_${sign}`));
const urlOf = (at: BrokerName, kind: string) => `http://sqs/000000000000/spanmq-${networkName}-${at}-${kind}`;

export const wayOf = (cell: Cell): Way => {
  const queues = cell.startsWith("embedded-composite.")
    ? [`queue://${cell}.x`, `queue://${cell}.y`]
    : [`queue://${isOrdered(cell) ? orderedQueue : cell}`];
  const way: Way = {
    from: ["us", "us", "eu"],
    readers: queues,
    groupOf: () => undefined,
    send: ({ direct }, at, body) => direct(at).sqs.send(toIngress(at, queues.join(), body)),
    read: ({ eu }, handlerOf) => Promise.all(queues.map((queue) => eu.consume(queue, handlerOf(queue)))),
  };
  if (cell.startsWith("embedded-topic.")) return { ...way, ...byTopic(cell) };
  if (cell.startsWith("embedded-bridge."))
    return { ...way, from: ["us"], send: ({ direct }, at, body) => direct(at).sqs.send(toQueue(at, bridge.source, body)) };
  if (isOrdered(cell))
    return { ...way, groupOf: (at) => at, send: ({ direct }, at, body) => direct(at).sqs.send(inOrder(at, queues.join(), body)) };
  if (cell.startsWith("embedded-direct."))
    return {
      ...way,
      send: (network, at, body) => (at === "eu" ? network.direct(at).sqs.send(toQueue(at, cell, body)) : way.send(network, at, body)),
    };
  return way;
};

const byTopic = (cell: Cell): Partial<Way> => ({
  readers: brokers,
  send: ({ direct }, at, body) => {
    const TopicArn = `arn:aws:sns:${regions[at]}:000000000000:spanmq-${networkName}-${at}-t-${physical(cell)}`;
    return direct(at).sns.send(new PublishCommand({ TopicArn, Message: body }));
  },
  read: (connections, handlerOf) => Promise.all(brokers.map((at) => connections[at].subscribe(`topic://${cell}`, handlerOf(at)))),
});

const toQueue = (at: BrokerName, name: string, MessageBody: string) =>
  new SendMessageCommand({ QueueUrl: urlOf(at, `q-${physical(name)}`), MessageBody });

const destined = (destination: string, MessageBody: string) => ({
  MessageBody,
  MessageAttributes: { destination: { DataType: "String", StringValue: destination } },
});
const toIngress = (at: BrokerName, destination: string, body: string) =>
  new SendMessageCommand({ QueueUrl: urlOf(at, "sys-ingress"), ...destined(destination, body) });
const inOrder = (at: BrokerName, destination: string, body: string) =>
  new SendMessageCommand({
    QueueUrl: urlOf(at, "sys-ingress.fifo"),
    ...destined(destination, body),
    MessageGroupId: at,
    MessageDeduplicationId: body,
  });
