import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Subscription, SubscriptionProtocol } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { admitTopics } from "./admission.ts";
import { brokerQueue, dyingHandlers, visibilityFor } from "./broker-queue.ts";

export interface TopicSourceProps {
  readonly topic: ITopic;
  /** @default - CloudFormation's choice */
  readonly queueName?: string;
  readonly timeoutSeconds: number;
  readonly deadLetters: Queue;
}

/** A JMS bridge's durable subscription to a topic: its messages wait here while the bridge is off. */
export class TopicSource extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { topic, queueName, timeoutSeconds, deadLetters }: TopicSourceProps) {
    super(scope, id);
    this.queue = brokerQueue(this, "Queue", {
      queueName,
      visibilitySeconds: visibilityFor(timeoutSeconds),
      deadLetterQueue: dyingHandlers(deadLetters),
    });
    const admitted = this.queue.addToResourcePolicy(admitTopics(this.queue.queueArn, topic.topicArn, []));
    // Not raw: the envelope's id and topic tell even a plain producer's message from all others.
    const subscription = new Subscription(this, "Subscription", {
      topic,
      protocol: SubscriptionProtocol.SQS,
      endpoint: this.queue.queueArn,
    });
    if (admitted.policyDependable) subscription.node.addDependency(admitted.policyDependable);
  }
}
