import { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { bridgeRole } from "../core/config/bridge-faults.ts";
import { type BridgeEnd, type JmsBridgeConfig, readsTopic } from "../core/config/jms-bridge.ts";
import { destinationKey } from "../core/destination/destination.ts";
import { rowReads } from "./brain-access.ts";
import { BridgeTransfer, type BridgeTransferProps } from "./bridge-transfer.ts";
import type { Permission } from "./broker-function.ts";
import { consuming } from "./consuming.ts";
import type { House } from "./house.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { TopicSource } from "./topic-source.ts";

export interface BrokerBridgeProps {
  readonly neighbourhood: Neighbourhood;
  readonly house: House;
  readonly bridge: JmsBridgeConfig;
  readonly timeoutSeconds: number;
}

/** A JMS bridge of the configuration, at the broker beside whose source it runs. Its queue or topic there is declared. */
export class BrokerBridge extends Construct {
  readonly transfer: BridgeTransfer;

  constructor(scope: Construct, id: string, props: BrokerBridgeProps) {
    super(scope, id);
    const { neighbourhood, house, bridge, timeoutSeconds } = props;
    const { own, slice } = neighbourhood;
    const source = this.#source(props);
    const target = targetOf(neighbourhood, bridge.target);
    this.transfer = new BridgeTransfer(this, "Bridge", {
      ...bridge,
      ...{ source, target, timeoutSeconds },
      audit: house.audit,
      deadLetters: house.deadLetters,
      functionName: bridgeRole(slice.network, slice.broker, bridge.name),
      queueNames: { undelivered: own.bridgeQueue(bridge.name, "undelivered"), orders: own.bridgeQueue(bridge.name, "orders") },
      broker: { id: slice.broker, brainTable: own.brainTable, keyParameter: own.keyParameter },
      permissions: [
        { actions: consuming, resources: [source.queueArn] },
        sendingTo(target.arn),
        { actions: rowReads, resources: [own.tableArn(own.brainTable)] },
        { actions: ["ssm:GetParameter"], resources: [own.parameterArn(own.keyParameter)] },
      ],
    });
  }

  /** A queue is taken from as it is; a topic by a subscription of the bridge's own. */
  #source({ neighbourhood: { own }, house, bridge, timeoutSeconds }: BrokerBridgeProps): BridgeTransferProps["source"] {
    const { source } = bridge;
    const arn = source.arn ?? own[source.destination.kind === "topic" ? "topicArn" : "queueArn"](own.nameOf(source.destination));
    const destination = source.arn === undefined ? destinationKey(source.destination) : nameIn(source.arn);
    if (!readsTopic(bridge)) return { queueArn: arn, destination };
    const topic = Topic.fromTopicArn(this, "Source", arn);
    const queueName = own.ownQueue(bridge.subscription);
    new TopicSource(this, "Subscription", { topic, queueName, timeoutSeconds, deadLetters: house.deadLetters });
    return { queueArn: own.queueArn(queueName), destination, topicArn: arn };
  }
}

/** A broker's queue is reached by its ingress, where messages are routed before they rest. */
export const targetOf = ({ of }: Neighbourhood, end: BridgeEnd): BridgeTransferProps["target"] => {
  if (end.arn !== undefined) return { arn: end.arn, destination: nameIn(end.arn), ingress: false };
  const there = of(end.broker);
  const isTopic = end.destination.kind === "topic";
  const arn = isTopic ? there.topicArn(there.nameOf(end.destination)) : there.queueArn(there.ingressQueue);
  return { arn, destination: destinationKey(end.destination), ingress: !isTopic };
};

/** The destination that an ARN is taken for. */
const nameIn = (arn: string): string => `${arn.split(":")[2] === "sns" ? "topic" : "queue"}://${arn.split(":").at(-1)}`;

/** Leave to send, and to look whether it is there. */
export const sendingTo = (arn: string): Permission => ({
  actions: arn.split(":")[2] === "sns" ? ["sns:Publish", "sns:GetTopicAttributes"] : ["sqs:SendMessage", "sqs:GetQueueAttributes"],
  resources: [arn],
});
