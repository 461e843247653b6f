import { Annotations } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { RegionInfo } from "aws-cdk-lib/region-info";
import { Construct } from "constructs";
import type { NetworkConnector } from "../core/config/slice.ts";
import { admitRoles, admitTopics, denyOthers } from "./admission.ts";
import { batchesOf } from "./batches-of.ts";
import { brokerQueue, dyingHandlers, orderedVisibilityFor, visibilityFor } from "./broker-queue.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { everyTopic } from "./prefixes.ts";

export interface LinkInboundProps {
  readonly neighbourhood: Neighbourhood;
  /** A connector of a peer that points here. */
  readonly connector: NetworkConnector;
  readonly dispatch: IFunction;
  readonly timeoutSeconds: number;
  readonly deadLetters: Queue;
  /** Given for a connector that permits a FIFO destination: it has an ordered way. */
  readonly orderedDeadLetters?: Queue | undefined;
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
  /** Of a link with an ordered way. */
  readonly fifoQueue: Queue | undefined;
  readonly #props: LinkInboundProps;

  constructor(scope: Construct, id: string, props: LinkInboundProps) {
    super(scope, id);
    this.#props = props;
    const { neighbourhood, connector, timeoutSeconds, deadLetters, orderedDeadLetters } = props;
    const { own, of } = neighbourhood;
    const peer = of(connector.from);
    this.queue = this.#way("", false, visibilityFor(timeoutSeconds), deadLetters);
    // No topic's subscription leads over the ordered way: a FIFO topic crosses by its broker's feed.
    if (orderedDeadLetters) this.fifoQueue = this.#way("Fifo", true, orderedVisibilityFor(timeoutSeconds), orderedDeadLetters);
    this.warnOfTwoOptIns(peer.place.region, own.place.region);
  }

  #way(prefix: string, fifo: boolean, visibilitySeconds: number, deadLetters: Queue): Queue {
    const { neighbourhood, connector, dispatch, maxConcurrency, operatorsRoleArn } = this.#props;
    const { own, of } = neighbourhood;
    const queueName = own.inboundQueue(connector.from, connector.name, fifo); // fixed: the peer computes it
    const queue = brokerQueue(this, `${prefix}Queue`, { queueName, visibilitySeconds, deadLetterQueue: dyingHandlers(deadLetters) });
    const peer = of(connector.from);
    const peerRoles = [peer.roleArn(peer.dispatchRole), peer.roleArn(peer.controlRole)];
    const roleArns = [...peerRoles, own.roleArn(own.controlRole), ...(operatorsRoleArn ? [operatorsRoleArn] : [])];
    const resource = own.queueArn(queueName);
    queue.addToResourcePolicy(admitRoles({ actions: ["sqs:SendMessage"], resource, roleArns }));
    if (!fifo) queue.addToResourcePolicy(admitTopics(resource, everyTopic(peer), [peer.place.region, own.place.region]));
    queue.addToResourcePolicy(denyOthers("sqs:SendMessage", resource, { roleArns, ...(!fifo && { topics: everyTopic(peer) }) }));
    batchesOf(this, `${prefix}Batches`, { queueArn: queue.queueArn, consumer: dispatch, maxConcurrency });
    return queue;
  }

  private warnOfTwoOptIns(from: string, to: string): void {
    if (from === to || ![from, to].every((region) => RegionInfo.get(region).isOptInRegion)) return;
    const text = `SNS delivers nothing from ${from} to ${to}: both are opt-in regions. Topics won't cross this link, queues will; join them over a region that is enabled by default.`;
    Annotations.of(this).addWarningV2("spanmq:two-opt-in-regions", text);
  }
}
