import { destinationOf } from "../../../core/destination/destination.ts";
import type { SimulatedNetwork } from "./network.ts";

/** Somebody who subscribes a queue of his own by SNS's own means and tells nobody. */
export const nativeSubscriber = (net: SimulatedNetwork, at: string, topic: string, name = "audit") => {
  const { topics, queues } = net.cloud;
  const queue = `arn:aws:sqs:eu-west-1:000000000000:${name}`;
  queues.create(queue);
  const arn = topics.subscribe(net.broker(at).where.topicOf(destinationOf(topic)).arn, queue);
  if (arn === undefined) throw new Error(`${topic} isn't at ${at}: nothing to subscribe to`);
  return {
    /** He reads SNS's envelope: a bare body is none. */
    bodies: (): string[] => queues.peek(queue).map(({ body }) => JSON.parse(body).Message),
    leave: (): void => topics.unsubscribe(arn),
  };
};
