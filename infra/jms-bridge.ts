import { Names, Validations } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { JmsBridgeConfig } from "../core/config/jms-bridge.ts";
import { AuditTable } from "./audit-table.ts";
import { arnOf, bridgeRefusals, isTopic } from "./bridge-refusals.ts";
import { BridgeTransfer } from "./bridge-transfer.ts";
import { brokerQueue } from "./broker-queue.ts";
import { TopicSource } from "./topic-source.ts";

export interface JmsBridgeProps extends Partial<Pick<JmsBridgeConfig, "failureRetryInterval" | "addMessageIDInHeader">> {
  /** Scope of its claims and of the message ids that it gives. */
  readonly name: string;
  /** A queue or topic of this region; not FIFO. A queue keeps messages invisible for at least `timeoutSeconds`. */
  readonly source: IQueue | ITopic;
  /** A queue or topic, of any region; not FIFO. */
  readonly target: IQueue | ITopic;
  readonly qualityOfServiceMode: JmsBridgeConfig["qualityOfServiceMode"];
  /**
   * Messages carried together, at most.
   * @default 10
   */
  readonly maxBatchSize?: number;
  /**
   * Seconds for which a batch is gathered, from its first message on; 1 or more where it is to have more than ten.
   * @default 0
   */
  readonly batchWindow?: number;
  /**
   * Of the function that runs it.
   * @default 30
   */
  readonly timeoutSeconds?: number;
}

/**
 * A JMS bridge between any two queues or topics, without a broker: messages of the source are handed over to the target with the quality of
 * service asked for. It has a table, three queues and a function of its own.
 *
 * @example
 * new JmsBridge(this, "Archive", {
 *   name: "archive",
 *   source: orders,
 *   target: Queue.fromQueueArn(this, "There", "arn:aws:sqs:eu-west-1:123456789012:archive"),
 *   qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
 * });
 */
export class JmsBridge extends Construct {
  readonly audit: AuditTable;
  /** What is given up on by verdict: not decodable, too large, refused again and again by a target that is there. */
  readonly deadLetters: Queue;
  readonly transfer: BridgeTransfer;

  constructor(scope: Construct, id: string, props: JmsBridgeProps) {
    super(scope, id);
    const refusals = bridgeRefusals(this, props);
    if (refusals.length > 0) throw new Error(`JMS bridge ${id}: ${refusals.join("; ")}`);
    const { name, source, target, qualityOfServiceMode, timeoutSeconds = 30, maxBatchSize = 10, batchWindow = 0 } = props;
    this.audit = new AuditTable(this, "Audit");
    this.deadLetters = brokerQueue(this, "DeadLetters", {});
    Validations.of(this.deadLetters).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "This is where messages end that are given up on: nothing takes from it but people, and there is nowhere further to go.",
    });
    const sourceQueue = isTopic(source)
      ? new TopicSource(this, "Subscription", { topic: source, timeoutSeconds, deadLetters: this.deadLetters }).queue
      : source;
    this.transfer = new BridgeTransfer(this, "Bridge", {
      ...{ name, qualityOfServiceMode, maxBatchSize, batchWindow, timeoutSeconds, audit: this.audit, deadLetters: this.deadLetters },
      failureRetryInterval: props.failureRetryInterval ?? 5_000,
      addMessageIDInHeader: props.addMessageIDInHeader ?? false,
      functionName: Names.uniqueResourceName(this, { maxLength: 64, separator: "-" }),
      source: { queueArn: sourceQueue.queueArn, destination: nameOf(source), ...(isTopic(source) && { topicArn: source.topicArn }) },
      target: { arn: arnOf(target), destination: nameOf(target), ingress: false },
      permissions: [{ actions: [isTopic(target) ? "sns:GetTopicAttributes" : "sqs:GetQueueAttributes"], resources: [arnOf(target)] }],
    });
    const { role } = this.transfer.transfer;
    const taking = sourceQueue.grantConsumeMessages(role);
    if (isTopic(target)) target.grantPublish(role);
    else target.grantSendMessages(role);
    taking.applyBefore(this.transfer.start(this, "SourceBatches"));
  }
}

const nameOf = (end: IQueue | ITopic): string => (isTopic(end) ? `topic://${end.topicName}` : `queue://${end.queueName}`);
