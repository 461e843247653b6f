import { Duration } from "aws-cdk-lib";
import { type DeadLetterQueue, DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { isFifoName } from "../core/destination/fifo.ts";

export interface BrokerQueueProps {
  /**
   * One that ends in `.fifo` makes a FIFO queue.
   * @default - CloudFormation's choice
   */
  readonly queueName?: string | undefined;
  /**
   * Seconds a received message stays invisible.
   * @default 30
   */
  readonly visibilitySeconds?: number | undefined;
  /** @default - none: time and outages never dead-letter */
  readonly deadLetterQueue?: DeadLetterQueue | undefined;
  /** @default 1 MiB, the most SQS takes */
  readonly maxMessageSizeBytes?: number;
}

/** A message never ages out sooner than SQS allows, and is encrypted with what works across regions and accounts. */
export const brokerQueue = (scope: Construct, id: string, props: BrokerQueueProps): Queue =>
  new Queue(scope, id, {
    ...(props.queueName !== undefined && { queueName: props.queueName, ...(isFifoName(props.queueName) && ordered) }),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(props.visibilitySeconds ?? 30),
    maxMessageSizeBytes: props.maxMessageSizeBytes ?? mebibyte,
    ...(props.deadLetterQueue && { deadLetterQueue: props.deadLetterQueue }),
  });

/** Each group by itself: the same deduplication id in two groups is two messages, and no group waits for another's throughput. */
const ordered = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

const mebibyte = 1024 * 1024;

/** Room for our header on a message that crosses: whoever exceeds the rest is refused where he sends, not in the middle. */
const headerRoom = 8 * 1024;
export const largestOnIngress = mebibyte - headerRoom;
export const largestOnTopic = 256 * 1024 - headerRoom;

/** Lambda asks for six times the function's timeout, or a slow batch is delivered a second time while it still runs. */
export const visibilityFor = (timeoutSeconds: number): number => 6 * timeoutSeconds;

/** Of an ordered door: what a crashed batch handed over comes again inside the five minutes in which a FIFO target recognises it. */
export const orderedVisibilityFor = (timeoutSeconds: number): number => Math.min(visibilityFor(timeoutSeconds), recognised);
const recognised = 240;

/** Catches handlers that die; everything else is dead-lettered by verdict, or waits. */
export const dyingHandlers = (queue: Queue): DeadLetterQueue => ({ queue, maxReceiveCount: 1000 });
