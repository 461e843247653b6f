import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Addresses } from "../core/destination/addresses.ts";
import { batchesOf } from "./batches-of.ts";
import type { BrokerFunction } from "./broker-function.ts";
import { brokerQueue, dyingHandlers, largestOnIngress, orderedVisibilityFor } from "./broker-queue.ts";
import { feedOnly } from "./feed.ts";
import { receiving } from "./permissions.ts";

export interface OrderedHouseProps {
  readonly own: Addresses;
  readonly dispatch: BrokerFunction;
  readonly timeoutSeconds: number;
}

/** What a broker has besides once a FIFO destination concerns it: doors that keep order, and their dead letters. */
export class OrderedHouse extends Construct {
  readonly ingress: Queue;
  /** Of handlers that died: a FIFO queue gives up to no other kind. */
  readonly deadLetters: Queue;
  /** What own FIFO topics carry for the links that want it. */
  feed: Queue | undefined;
  readonly #props: OrderedHouseProps;

  constructor(scope: Construct, id: string, props: OrderedHouseProps) {
    super(scope, id);
    this.#props = props;
    const { own } = props;
    this.deadLetters = brokerQueue(this, "DeadLetters", { queueName: own.deadLettersFifoQueue });
    this.ingress = this.#door("Ingress", own.ingressFifoQueue, largestOnIngress);
  }

  addFeed(): void {
    if (this.feed) return;
    const { own } = this.#props;
    const name = own.feedQueue(true);
    this.feed = this.#door("Feed", name);
    feedOnly(own, { feed: this.feed, name, deadLetters: this.deadLetters, deadLettersName: own.deadLettersFifoQueue });
  }

  #door(id: string, queueName: string, maxMessageSizeBytes?: number): Queue {
    const { own, dispatch, timeoutSeconds } = this.#props;
    const queue = brokerQueue(this, id, {
      queueName,
      visibilitySeconds: orderedVisibilityFor(timeoutSeconds),
      deadLetterQueue: dyingHandlers(this.deadLetters),
      ...(maxMessageSizeBytes !== undefined && { maxMessageSizeBytes }),
    });
    dispatch.allow({ actions: receiving, resources: [own.queueArn(queueName)] });
    batchesOf(this, `${id}Batches`, { queueArn: queue.queueArn, consumer: dispatch.function });
    return queue;
  }
}
