import { Annotations } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { RegionInfo } from "aws-cdk-lib/region-info";
import { Construct } from "constructs";
import type { NetworkConnector } from "../core/config/slice.ts";
import { admitRoles, admitTopics, denyOthers } from "./admission.ts";
import { batchesOf } from "./batches-of.ts";
import { brokerQueue, dyingHandlers, visibilityFor } from "./broker-queue.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { everyTopic } from "./prefixes.ts";

export interface LinkInboundProps {
  readonly neighbourhood: Neighbourhood;
  /** A connector of a peer that points here. */
  readonly connector: NetworkConnector;
  readonly dispatch: IFunction;
  readonly timeoutSeconds: number;
  readonly deadLetters: Queue;
  /**
   * Batches of this link that dispatch works on at once, 2 or more.
   * @default - as many as Lambda finds useful
   */
  readonly maxConcurrency?: number | undefined;
  /**
   * ARN of a role that may send to this queue by hand, to redrive for instance.
   * @default - nobody but the network
   */
  readonly operatorsRoleArn?: string | undefined;
}

/** The receiving end of one link: its inbound queue (buffer, lag and pause switch), who may send to it, and its way into dispatch. */
export class LinkInbound extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: LinkInboundProps) {
    super(scope, id);
    const { own, of } = props.neighbourhood;
    const { connector } = props;
    const queueName = own.inboundQueue(connector.from, connector.name);
    this.queue = brokerQueue(this, "Queue", {
      queueName, // fixed: the peer computes it
      visibilitySeconds: visibilityFor(props.timeoutSeconds),
      deadLetterQueue: dyingHandlers(props.deadLetters),
    });
    const peer = of(connector.from);
    const peerRoles = [peer.roleArn(peer.dispatchRole), peer.roleArn(peer.controlRole)];
    const roleArns = [...peerRoles, own.roleArn(own.controlRole), ...(props.operatorsRoleArn ? [props.operatorsRoleArn] : [])];
    const resource = own.queueArn(queueName);
    this.queue.addToResourcePolicy(admitRoles({ actions: ["sqs:SendMessage"], resource, roleArns }));
    this.queue.addToResourcePolicy(admitTopics(resource, everyTopic(peer), [peer.place.region, own.place.region]));
    this.queue.addToResourcePolicy(denyOthers("sqs:SendMessage", resource, { roleArns, topics: everyTopic(peer) }));
    batchesOf(this, "Batches", { queueArn: this.queue.queueArn, consumer: props.dispatch, maxConcurrency: props.maxConcurrency });
    this.warnOfTwoOptIns(peer.place.region, own.place.region);
  }

  private warnOfTwoOptIns(from: string, to: string): void {
    if (from === to || ![from, to].every((region) => RegionInfo.get(region).isOptInRegion)) return;
    const text = `SNS delivers nothing from ${from} to ${to}: both are opt-in regions. Topics won't cross this link, queues will; join them over a region that is enabled by default.`;
    Annotations.of(this).addWarningV2("spanmq:two-opt-in-regions", text);
  }
}
