import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Addresses } from "../core/destination/addresses.ts";
import { admitTopics, denyOthers } from "./admission.ts";
import { batchesOf } from "./batches-of.ts";
import type { BrokerFunction } from "./broker-function.ts";
import { brokerQueue, dyingHandlers, visibilityFor } from "./broker-queue.ts";
import { receiving } from "./permissions.ts";
import { everyTopic } from "./prefixes.ts";

export interface FeedProps {
  readonly own: Addresses;
  readonly dispatch: BrokerFunction;
  readonly timeoutSeconds: number;
  readonly deadLetters: Queue;
}

/** A way from own topics into dispatch, for what a topic can't do itself: selectors that are no filter policies, copies counted by time. */
export class Feed extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { own, dispatch, timeoutSeconds, deadLetters }: FeedProps) {
    super(scope, id);
    const queueName = own.feedQueue();
    this.queue = brokerQueue(this, "Queue", {
      queueName,
      visibilitySeconds: visibilityFor(timeoutSeconds),
      deadLetterQueue: dyingHandlers(deadLetters),
    });
    feedOnly(own, { feed: this.queue, name: queueName, deadLetters, deadLettersName: own.deadLettersQueue });
    dispatch.allow({ actions: receiving, resources: [own.queueArn(queueName)] });
    batchesOf(this, "Batches", { queueArn: this.queue.queueArn, consumer: dispatch.function });
  }
}

interface FeedEnds {
  readonly feed: Queue;
  readonly name: string;
  readonly deadLetters: Queue;
  readonly deadLettersName: string;
}

/** Only own topics may send to a feed; what SNS can't put there goes to the dead letters. */
export const feedOnly = (own: Addresses, { feed, name, deadLetters, deadLettersName }: FeedEnds): void => {
  const [resource, topics] = [own.queueArn(name), everyTopic(own)];
  feed.addToResourcePolicy(admitTopics(resource, topics, []));
  feed.addToResourcePolicy(denyOthers("sqs:SendMessage", resource, { topics }));
  deadLetters.addToResourcePolicy(admitTopics(own.queueArn(deadLettersName), topics, []));
};
