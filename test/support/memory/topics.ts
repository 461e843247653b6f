import { isFifoName } from "../../../core/destination/fifo.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { Order } from "../../../core/ports.ts";
import { passes } from "../filter-policy.ts";
import type { MemoryCloudOptions } from "./cloud.ts";
import { deduplication, refuseMisuse } from "./order.ts";
import type { MemoryQueues } from "./queues.ts";

interface Subscription {
  readonly arn: string;
  readonly queueArn: string;
  /** Where an envelope goes whose queue is gone. */
  readonly undeliveredArn?: string;
  /** Before this moment SNS doesn't deliver to it yet. */
  readonly effectiveAt: number;
  /** Filter policies that SNS may follow: while it changes from one to the other, a message must pass both. */
  readonly policies: readonly string[];
  /** From then on only the last of them. */
  readonly settledAt: number;
}

/** SNS in memory, topics by ARN; subscriptions may cross regions and deliver real envelopes. */
export interface MemoryTopics {
  create(arn: string): void;
  delete(arn: string): void;
  exists(arn: string): boolean;
  /** Answers the message id, `undefined` where the topic is missing. */
  publish(arn: string, wire: WireMessage, order?: Order): string | undefined;
  /** The same pair again answers the same arn. A FIFO queue ends a FIFO topic's subscription only. */
  subscribe(topicArn: string, queueArn: string, undeliveredArn?: string): string | undefined;
  filter(arn: string, policy: string): void;
  unsubscribe(arn: string): void;
  subscriptions(topicArn: string): readonly Subscription[];
  /** Delivers once more what is due; whether anything was. */
  retry(): boolean;
  /** When SNS next tries what a queue didn't take, or didn't say so. */
  nextRetryAt(): number | undefined;
}

/** What becomes of one attempt to deliver. */
export type Delivery = "arrives" | "refuses" | "hangs" | "accepts and says nothing";

/** SNS goes on for 23 days, most of them at this pace. */
const retryAfter = 20_000;

const unfiltered = { policies: [], settledAt: 0 };
/** `{}` is how a filter is taken away. */
const letsPass = (policy: string, { attributes }: WireMessage): boolean =>
  policy === "{}" || passes(JSON.parse(policy), attributes, { lenient: false, unsure: false });

/** The body a queue gets by a subscription that isn't raw. */
const envelope = (id: string, topicArn: string, wire: WireMessage, at: number): string => {
  const attributes = Object.entries(wire.attributes).map(([name, { type, value }]) => [name, { Type: type, Value: value }]);
  return JSON.stringify({
    Type: "Notification",
    MessageId: id,
    TopicArn: topicArn,
    Message: wire.body,
    Timestamp: new Date(at).toISOString(),
    SignatureVersion: "1",
    Signature: "memory",
    SigningCertURL: "https://sns.example/memory.pem",
    UnsubscribeURL: "https://sns.example/unsubscribe",
    ...(attributes.length > 0 && { MessageAttributes: Object.fromEntries(attributes) }),
  });
};

export const memoryTopics = (
  queues: MemoryQueues,
  now: () => number,
  newId: () => string,
  { subscriptionLagMs, filterLagMs, delivery }: Required<MemoryCloudOptions>,
): MemoryTopics => {
  const topics = new Map<string, Subscription[]>();
  const firstOf = deduplication(now);

  let retries: readonly { readonly at: number; readonly again: () => void }[] = [];
  const deliver = (topicArn: string, subscription: Subscription, body: string, order: Order | undefined): void => {
    const how = delivery(topicArn, subscription.queueArn, body);
    if (how === "arrives" || how === "accepts and says nothing") arrive(subscription, body, order);
    if (how !== "arrives") retries = [...retries, { at: now() + retryAfter, again: () => deliver(topicArn, subscription, body, order) }];
  };
  const arrive = (subscription: Subscription, body: string, order: Order | undefined): void => {
    const wire = { body, attributes: {} };
    const kept = order && isFifoName(subscription.queueArn) ? { order } : {};
    const sent = queues.send(subscription.queueArn, wire, kept);
    if (!sent && subscription.undeliveredArn) queues.send(subscription.undeliveredArn, wire, kept);
  };

  const policiesOf = ({ policies, settledAt }: Subscription): readonly string[] => (now() < settledAt ? policies : policies.slice(-1));
  const change = (arn: string, next: (one: Subscription) => Subscription[]): void => {
    const topicArn = arn.slice(0, arn.lastIndexOf(":"));
    const changed = topics.get(topicArn)?.flatMap((one) => (one.arn === arn ? next(one) : [one]));
    if (changed) topics.set(topicArn, changed);
  };

  return {
    create: (arn) => void (topics.has(arn) || topics.set(arn, [])),
    delete: (arn) => void topics.delete(arn),
    exists: (arn) => topics.has(arn),

    publish: (arn, wire, order) => {
      refuseMisuse(arn, order);
      const subscriptions = topics.get(arn);
      if (!subscriptions) return undefined;
      const id = newId();
      const first = order ? firstOf(arn, order, id) : id;
      if (first !== id) return first;
      for (const subscription of subscriptions) {
        if (subscription.effectiveAt <= now() && policiesOf(subscription).every((policy) => letsPass(policy, wire)))
          deliver(arn, subscription, envelope(id, arn, wire, now()), order);
      }
      return id;
    },

    subscribe: (topicArn, queueArn, undeliveredArn) => {
      if (isFifoName(queueArn) && !isFifoName(topicArn)) throw new Error(`${queueArn} is FIFO and ${topicArn} isn't`);
      const subscriptions = topics.get(topicArn);
      const known = subscriptions?.find((subscription) => subscription.queueArn === queueArn);
      if (!subscriptions || known) return known?.arn;
      const arn = `${topicArn}:${newId()}`;
      subscriptions.push({
        arn,
        queueArn,
        effectiveAt: now() + subscriptionLagMs,
        ...unfiltered,
        ...(undeliveredArn && { undeliveredArn }),
      });
      return arn;
    },

    filter: (arn, policy) => change(arn, (one) => [{ ...one, policies: [...policiesOf(one), policy], settledAt: now() + filterLagMs }]),
    unsubscribe: (arn) => change(arn, () => []),

    subscriptions: (topicArn) => topics.get(topicArn) ?? [],

    retry: () => {
      const due = retries.filter(({ at }) => at <= now());
      retries = retries.filter((one) => !due.includes(one));
      for (const { again } of due) again();
      return due.length > 0;
    },
    nextRetryAt: () => (retries.length === 0 ? undefined : Math.min(...retries.map(({ at }) => at))),
  };
};
