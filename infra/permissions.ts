import { lanesOf } from "../core/config/ordered.ts";
import type { NetworkConnector } from "../core/config/slice.ts";
import type { Addresses } from "../core/destination/addresses.ts";
import { arnOf } from "../core/destination/place.ts";
import { claiming } from "./audit-table.ts";
import { onlyPartitions, publishedDemand, rowReads } from "./brain-access.ts";
import type { Permission } from "./broker-function.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { everyOwnQueue, everyQueue, everyQueueOf, everyTemporary, everyTopic } from "./prefixes.ts";

/** Dispatch takes from doors and passes, and hands over: to own queues and topics, to peers' inbounds, to dead letters. */
export const dispatchPermissions = (neighbourhood: Neighbourhood): readonly Permission[] => {
  const { own, incoming, outgoing, of } = neighbourhood;
  const brain = own.tableArn(own.brainTable);
  const inbounds = waysOf(incoming).map(({ from, name, fifo }) => own.inboundQueue(from, name, fifo));
  const undelivered = waysOf(outgoing).map(({ name, fifo }) => own.undeliveredQueue(name, fifo));
  return [
    {
      actions: receiving,
      resources: [...[own.ingressQueue, ...inbounds, ...undelivered].map(own.queueArn), everyQueue(own), everyOwnQueue(own)],
    },
    {
      actions: ["sqs:SendMessage"],
      resources: [...[own.controlQueue, own.deadLettersQueue, ...undelivered].map(own.queueArn), everyQueue(own), everyOwnQueue(own)],
    },
    { actions: ["sqs:SendMessage"], resources: peerInbounds(neighbourhood, waysOf(outgoing)) },
    { actions: ["sns:Publish"], resources: [everyTopic(own)] },
    { actions: ["sns:ConfirmSubscription"], resources: incoming.map(({ from }) => everyTopic(of(from))) },
    { actions: rowReads, resources: [brain] },
    { actions: ["dynamodb:UpdateItem"], resources: [brain], conditions: onlyPartitions("counter#*") },
    { actions: claiming, resources: [own.tableArn(own.auditTable)] },
    { actions: ["ssm:GetParameter"], resources: [own.parameterArn(own.keyParameter)] },
  ];
};

/** Control keeps the broker's books, makes destinations on first use, and speaks with its peers (what crosses is signed). */
export const controlPermissions = (neighbourhood: Neighbourhood): readonly Permission[] => {
  const { own, peers, outgoing } = neighbourhood;
  const undelivered = waysOf(outgoing).map(({ name, fifo }) => own.queueArn(own.undeliveredQueue(name, fifo)));
  const queues = [everyQueue(own), everyOwnQueue(own)];
  return [
    { actions: receiving, resources: [own.queueArn(own.controlQueue)] },
    { actions: ["sqs:SendMessage"], resources: [own.controlQueue, own.deadLettersQueue].map(own.queueArn) },
    { actions: ["sqs:SendMessage"], resources: peers.map((peer) => peer.queueArn(peer.controlQueue)).concat(probed(neighbourhood)) },
    { actions: [...rowReads, ...rowWrites, "dynamodb:DescribeTable"], resources: [own.tableArn(own.brainTable)] },
    { actions: rowReads, resources: peers.map((peer) => peer.tableArn(peer.brainTable)), conditions: publishedDemand },
    { actions: ["sqs:GetQueueAttributes"], resources: [...queues, ...undelivered] },
    { actions: ["sqs:CreateQueue", "sqs:TagQueue"], resources: queues, conditions: taggedAsOurs("RequestTag", own) },
    { actions: ["sqs:DeleteQueue"], resources: queues, conditions: taggedAsOurs("ResourceTag", own) },
    { actions: ["sns:CreateTopic", "sns:TagResource"], resources: [everyTopic(own)], conditions: taggedAsOurs("RequestTag", own) },
    { actions: ["sns:DeleteTopic"], resources: [everyTopic(own)], conditions: taggedAsOurs("ResourceTag", own) },
    { actions: ["sns:Subscribe", "sns:ListSubscriptionsByTopic"], resources: [everyTopic(own)] },
    { actions: ["sns:SetSubscriptionAttributes", "sns:Unsubscribe"], resources: ["*"] }, // IAM knows no resource for them
    { actions: ["sns:Publish"], resources: [own.topicArn(own.advisoryTopic)] },
    { actions: ["ssm:GetParameter"], resources: [own.parameterArn(own.keyParameter)] },
    { actions: ["lambda:InvokeFunction"], resources: [functionArn(neighbourhood, own.dispatchRole)] },
  ];
};

/**
 * The deployment writes the configuration and makes the signing key; at the end it tells the peers, looks into the broker's queues, removes
 * what control made and takes the tables' protection off.
 */
export const deploymentPermissions = ({ own, peers }: Neighbourhood): readonly Permission[] => {
  const queues = [everyQueue(own), everyOwnQueue(own), everyTemporary(own)];
  return [
    { actions: [...rowReads, ...rowWrites], resources: [own.tableArn(own.brainTable)] },
    { actions: ["dynamodb:DescribeTable", "dynamodb:UpdateTable"], resources: [own.brainTable, own.auditTable].map(own.tableArn) },
    { actions: ["ssm:GetParameter", "ssm:PutParameter", "ssm:DeleteParameter"], resources: [own.parameterArn(own.keyParameter)] },
    { actions: ["sqs:SendMessage"], resources: [own, ...peers].map((broker) => broker.queueArn(broker.controlQueue)) },
    { actions: ["sqs:ListQueues", "sns:ListTopics"], resources: ["*"] }, // IAM knows no resource for them
    { actions: ["sqs:GetQueueAttributes"], resources: [everyQueueOf(own)] },
    { actions: ["sqs:ListQueueTags"], resources: queues },
    { actions: ["sns:ListTagsForResource"], resources: [everyTopic(own)] },
    { actions: ["sqs:DeleteQueue"], resources: queues, conditions: taggedAsOurs("ResourceTag", own) },
    { actions: ["sns:DeleteTopic"], resources: [everyTopic(own)], conditions: taggedAsOurs("ResourceTag", own) },
  ];
};

const functionArn = ({ own }: Neighbourhood, name: string): string => arnOf("lambda", own.place, `function:${name}`);

type Way = Pick<NetworkConnector, "from" | "to" | "name"> & { readonly fifo?: boolean };

/** Each link as often as it has ways. */
const waysOf = (connectors: readonly NetworkConnector[]): readonly Way[] =>
  connectors.flatMap((connector) => lanesOf(connector).map((fifo) => ({ ...connector, fifo })));

/** Where this broker's hand-overs go. */
const peerInbounds = ({ slice, of }: Neighbourhood, ways: readonly Way[]): string[] =>
  ways.map(({ to, name, fifo }) => of(to).queueArn(of(to).inboundQueue(slice.broker, name, fifo)));

/** A probe takes the way without order: it proves the same, and no group waits behind it. */
const probed = (neighbourhood: Neighbourhood): string[] =>
  peerInbounds(
    neighbourhood,
    neighbourhood.outgoing.map(({ fifo: _, ...way }) => way),
  );

export const receiving = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes"];
const rowWrites = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"];

/** What control makes carries the destination's name; what CloudFormation made doesn't, and is not control's to delete. */
const taggedAsOurs = (tag: "RequestTag" | "ResourceTag", { place }: Addresses) => ({
  StringEquals: { [`aws:${tag}/spanmq:broker`]: place.id },
  Null: { [`aws:${tag}/spanmq:destination`]: "false" },
});
