import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { type CfnTopic, FifoThroughputScope, type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { LambdaSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { DeclaredConsumer } from "../core/config/slice.ts";
import type { Addresses } from "../core/destination/addresses.ts";
import { isFifoName } from "../core/destination/fifo.ts";
import { largestOnTopic } from "./broker-queue.ts";
import { grantConnect, grantTake } from "./connecting.ts";

export interface DeclaredTopicProps {
  readonly name: string;
  readonly own: Addresses;
  /** Tells the broker of a consumer that runs no client of ours. */
  readonly declare: (consumer: DeclaredConsumer) => void;
}

/** A topic of the broker that the configuration or other CDK code names: made with the stack, not on first use. */
export class DeclaredTopic extends Construct {
  readonly topic: Topic;
  readonly #props: DeclaredTopicProps;
  /** Not by reference: a function's stack subscribes by the computed name, and the broker's exports nothing. */
  readonly #byName: ITopic;

  constructor(scope: Construct, id: string, props: DeclaredTopicProps) {
    super(scope, id);
    this.#props = props;
    this.topic = new Topic(this, "Topic", {
      topicName: props.own.topic(props.name),
      enforceSSL: true,
      ...(isFifoName(props.name) && { fifo: true, fifoThroughputScope: FifoThroughputScope.MESSAGE_GROUP }),
    });
    (this.topic.node.defaultChild as CfnTopic).maximumMessageSize = largestOnTopic;
    const topicName = props.own.topic(props.name);
    this.#byName = Topic.fromTopicArn(this, topicName, props.own.topicArn(topicName));
  }

  /** Leave to publish. Works across stacks: names are computed. */
  grantSend(grantee: IGrantable): Grant {
    const { own, name } = this.#props;
    return Grant.addToPrincipal({ grantee, actions: ["sns:Publish"], resourceArns: [own.topicArn(own.topic(name))] }).combine(
      grantConnect(grantee, own),
    );
  }

  /** Leave to subscribe with our client: control subscribes a queue for it, and the client takes from that queue. */
  grantConsume(grantee: IGrantable): Grant {
    return grantTake(grantee, this.#props.own);
  }

  /** Subscribes a function, and declares it a consumer: peers send what is published there. SNS feeds none from a FIFO topic. */
  addConsumer(consumer: IFunction): void {
    const { name, declare } = this.#props;
    if (isFifoName(name))
      throw new Error(
        `topic ${name} keeps order, and SNS delivers no FIFO topic to a function: subscribe a FIFO queue to it (topic.addSubscription(new SqsSubscription(queue))), ` +
          `let that queue feed the function, and declare the consumer in the configuration ("consumers": [{ "destination": "topic://${name}" }])`,
      );
    this.#byName.addSubscription(new LambdaSubscription(consumer)).node.addDependency(this.topic);
    declare({ destination: `topic://${name}`, count: 1, priority: 0 });
  }
}
