import { Validations } from "aws-cdk-lib";
import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Addresses } from "../core/destination/addresses.ts";
import type { DurableKey } from "../core/destination/durable-queue.ts";
import { admitTopics } from "./admission.ts";
import { brokerQueue } from "./broker-queue.ts";
import { consuming } from "./consuming.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { everyTopic } from "./prefixes.ts";

export interface DurableSubscriptionProps {
  readonly own: Addresses;
  readonly key: DurableKey;
  /** The JMS name of its queue. */
  readonly ownQueue: string;
}

/** A durable subscription that the configuration declares: its queue is made with the stack, and control subscribes it. */
export class DurableSubscription extends Construct {
  /** Its client id and name. */
  readonly key: DurableKey;
  readonly queue: Queue;
  readonly #queueArn: string;

  constructor(scope: Construct, id: string, { own, key, ownQueue }: DurableSubscriptionProps) {
    super(scope, id);
    this.key = key;
    const queueName = own.ownQueue(ownQueue);
    this.#queueArn = own.queueArn(queueName);
    this.queue = brokerQueue(this, "Queue", { queueName });
    this.queue.addToResourcePolicy(admitTopics(this.#queueArn, everyTopic(own), []));
    Validations.of(this.queue).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "It gathers until its subscriber takes: time and outages never dead-letter.",
    });
  }

  /** Leave to take what it gathers. Works across stacks: names are computed. */
  grantConsume(grantee: IGrantable): Grant {
    return Grant.addToPrincipal({ grantee, actions: [...consuming], resourceArns: [this.#queueArn] });
  }
}

export const declaredDurables = (scope: Construct, { own, slice }: Neighbourhood): readonly DurableSubscription[] =>
  slice.consumers.flatMap(({ durable: key, ownQueue }) =>
    key && ownQueue !== undefined ? [new DurableSubscription(scope, own.ownQueue(ownQueue), { own, key, ownQueue })] : [],
  );
