import { ConfirmSubscriptionCommand, type SNSClient, SubscribeCommand, UnsubscribeCommand } from "@aws-sdk/client-sns";
import type { Subscriptions, SubscriptionTarget } from "../core/ports.ts";
import { saysMissing } from "./answers.ts";
import { type QueuePlace, queueAt, type Whereabouts } from "./whereabouts.ts";

export interface SubscriptionsOptions {
  readonly whereabouts: () => Promise<Whereabouts>;
  /** Of the own region: a subscription lives where its topic is. */
  readonly sns: SNSClient;
  /** For confirmations, which go to the topic's region. */
  readonly peerSns: (region: string) => SNSClient;
}

/** Calls run under a destination's lease of 10 s: 3 s each, the SDK's repetitions included. */
export const inTime = () => ({ abortSignal: AbortSignal.timeout(3_000) });

/** SNS subscriptions, enveloped: the envelope names the origin, and no attribute limit bites. */
export const snsSubscriptions = ({ whereabouts, sns, peerSns }: SubscriptionsOptions): Subscriptions => ({
  subscribe: async (topic, target) => {
    const where = await whereabouts();
    const { endpoint, undelivered } = endsOf(where, target);
    const { SubscriptionArn = "" } = await sns.send(
      new SubscribeCommand({
        TopicArn: where.topicOf(topic).arn,
        Protocol: "sqs",
        Endpoint: endpoint.arn,
        ...(undelivered && { Attributes: { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: undelivered.arn }) } }),
      }),
      inTime(),
    );
    // Without ReturnSubscriptionArn the answer tells: an unconfirmed subscription has words in place of an arn.
    return SubscriptionArn.startsWith("arn:") ? { arn: SubscriptionArn } : "pending";
  },

  unsubscribe: async (arn) => {
    await sns.send(new UnsubscribeCommand({ SubscriptionArn: arn }), inTime()).catch((error: unknown) => {
      if (!saysMissing(error)) throw error;
    });
  },

  confirm: async (topicArn, token) => {
    const [, , , region = ""] = topicArn.split(":");
    // Only the topic's owner may end it again, not whoever learns its arn.
    await peerSns(region).send(new ConfirmSubscriptionCommand({ TopicArn: topicArn, Token: token, AuthenticateOnUnsubscribe: "true" }));
  },
});

/**
 * What SNS can't deliver to a link waits at the owner, what it can't feed in the ordered dead letters; an own queue that is gone has nobody
 * to wait for.
 */
const endsOf = (
  where: Whereabouts,
  target: SubscriptionTarget,
): { readonly endpoint: QueuePlace; readonly undelivered?: QueuePlace | undefined } => {
  if (target.to === "own-queue") return { endpoint: where.queueOf(target) };
  if (target.to === "feed")
    return { endpoint: queueAt(where.own, where.own.feedFifoQueue), undelivered: queueAt(where.own, where.own.deadLettersFifoQueue) };
  const endpoint = where.inbound(target.link);
  if (!endpoint) throw new Error(`the configuration has no link ${target.link}: nothing to subscribe`);
  return { endpoint, undelivered: where.undelivered(target.link) };
};
