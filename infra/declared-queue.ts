import { type Duration, Validations } from "aws-cdk-lib";
import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { CfnQueue, DeadLetterQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { DeclaredConsumer } from "../core/config/slice.ts";
import type { Addresses } from "../core/destination/addresses.ts";
import { isFifoName } from "../core/destination/fifo.ts";
import { batchesOf } from "./batches-of.ts";
import { brokerQueue, dyingHandlers, visibilityFor } from "./broker-queue.ts";
import { grantConnect, grantTake } from "./connecting.ts";
import { consuming, timeoutSecondsOf } from "./consuming.ts";

export interface DeclaredQueueOptions {
  /**
   * How long a message that a consumer took stays invisible to others.
   * @default - 30 seconds; six times the function's timeout once `addConsumer` was called
   */
  readonly visibilityTimeout?: Duration;
  /**
   * Of a FIFO queue a FIFO queue. Until it gives a message up, those of the same group wait behind it.
   * @default - none: a message is never given up because consumers fail on it
   */
  readonly deadLetterQueue?: DeadLetterQueue;
}

export interface DeclaredQueueProps extends DeclaredQueueOptions {
  readonly name: string;
  readonly own: Addresses;
  /** The broker's dead letters of this queue's kind, FIFO or not. */
  readonly deadLetters: Queue;
  /** Tells the broker of a consumer that runs no client of ours. */
  readonly declare: (consumer: DeclaredConsumer) => void;
}

/** A queue of the broker that the configuration or other CDK code names: made with the stack, not on first use. */
export class DeclaredQueue extends Construct {
  readonly queue: Queue;
  readonly #props: DeclaredQueueProps;

  constructor(scope: Construct, id: string, props: DeclaredQueueProps) {
    super(scope, id);
    this.#props = props;
    if (props.deadLetterQueue && props.deadLetterQueue.queue.fifo !== isFifoName(props.name))
      throw new Error(
        `queue ${props.name}: SQS gives up messages of a FIFO queue to a FIFO queue, of a standard queue to a standard queue; give it a deadLetterQueue of its own kind`,
      );
    this.queue = brokerQueue(this, "Queue", {
      queueName: props.own.queue(props.name),
      visibilitySeconds: props.visibilityTimeout?.toSeconds(),
      deadLetterQueue: props.deadLetterQueue,
    });
    Validations.of(this.queue).acknowledge({
      id: "AwsSolutions-SQS3",
      reason:
        "Messages rest here until somebody wants them: time and outages never dead-letter. What is undeliverable is dead-lettered by verdict.",
    });
  }

  /** Leave to send: to this queue, and to the broker's ingress, where messages are routed before they rest. Works across stacks: names are computed. */
  grantSend(grantee: IGrantable): Grant {
    const { own, name } = this.#props;
    const queues = [own.queue(name), isFifoName(name) ? own.ingressFifoQueue : own.ingressQueue];
    const sending = Grant.addToPrincipal({
      grantee,
      actions: ["sqs:SendMessage", "sqs:GetQueueUrl"],
      resourceArns: queues.map(own.queueArn),
    });
    return sending.combine(grantConnect(grantee, own));
  }

  /** Leave to consume: from this queue, and by our client from its private queues; presence is told to control, and what has expired is sent to the ingress. */
  grantConsume(grantee: IGrantable): Grant {
    const { own, name } = this.#props;
    return grantTake(grantee, own, [own.queue(name)]);
  }

  /** Keeps messages invisible for as long as a function of this timeout asks for; handlers that die of one are caught. */
  feeds(timeoutSeconds: number): void {
    const { deadLetters, deadLetterQueue } = this.#props;
    const resource = this.queue.node.defaultChild as CfnQueue;
    resource.visibilityTimeout = Math.max(resource.visibilityTimeout ?? 0, visibilityFor(timeoutSeconds));
    const { queue, maxReceiveCount } = deadLetterQueue ?? dyingHandlers(deadLetters);
    resource.redrivePolicy = { deadLetterTargetArn: queue.queueArn, maxReceiveCount };
  }

  /** Feeds a function from this queue, in batches of up to ten with partial failures, and declares it a consumer: peers send what it wants. */
  addConsumer(consumer: IFunction, { count = 1, priority = 0, maxConcurrency }: QueueConsumerOptions = {}): void {
    const { own, name, declare } = this.#props;
    this.feeds(timeoutSecondsOf(consumer));
    const queueArn = own.queueArn(own.queue(name));
    // In the function's stack and by the computed name: the broker's stack waits for nobody.
    const batches = batchesOf(consumer, `Batches-${own.queue(name)}`, { queueArn, consumer, maxConcurrency });
    batches.node.addDependency(this.queue);
    Grant.addToPrincipal({ grantee: consumer, actions: [...consuming], resourceArns: [queueArn] }).applyBefore(batches);
    declare({ destination: `queue://${name}`, count, priority });
  }
}

export interface QueueConsumerOptions {
  /**
   * As how many consumers the function counts where messages are shared out.
   * @default 1
   */
  readonly count?: number;
  /** @default 0 */
  readonly priority?: number;
  /** @default - as many batches at once as Lambda finds useful */
  readonly maxConcurrency?: number;
}
