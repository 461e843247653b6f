import { Validations } from "aws-cdk-lib";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { NetworkConnector } from "../core/config/slice.ts";
import { admitTopics } from "./admission.ts";
import { brokerQueue } from "./broker-queue.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { everyTopic } from "./prefixes.ts";

export interface LinkUndeliveredProps {
  readonly neighbourhood: Neighbourhood;
  /** A connector of this broker. */
  readonly connector: NetworkConnector;
}

/** The sending end of one link: what its topic subscriptions couldn't deliver waits here. SNS wants it in the topic's own region. */
export class LinkUndelivered extends Construct {
  readonly queue: Queue;
  /** Of a link with an ordered way: what its hand-overs couldn't deliver. No subscription leads over it. */
  readonly fifoQueue: Queue | undefined;

  constructor(scope: Construct, id: string, { neighbourhood: { own }, connector }: LinkUndeliveredProps) {
    super(scope, id);
    const queueName = own.undeliveredQueue(connector.name);
    this.queue = brokerQueue(this, "Queue", { queueName });
    this.queue.addToResourcePolicy(admitTopics(own.queueArn(queueName), everyTopic(own), []));
    explainNoDeadLetters(
      this.queue,
      "This is a dead-letter queue: of SNS subscriptions, which control makes while the broker runs, so that no template shows them.",
    );
    if (!connector.fifo) return;
    this.fifoQueue = brokerQueue(this, "FifoQueue", { queueName: own.undeliveredQueue(connector.name, true) });
    explainNoDeadLetters(this.fifoQueue, "Messages wait here in order for their link, however long it is away: nobody may give one up.");
  }
}

const explainNoDeadLetters = (queue: Queue, reason: string): void => Validations.of(queue).acknowledge({ id: "AwsSolutions-SQS3", reason });
