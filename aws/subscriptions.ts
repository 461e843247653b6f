import {
  AuthorizationErrorException,
  ConfirmSubscriptionCommand,
  FilterPolicyLimitExceededException,
  SetSubscriptionAttributesCommand,
  type SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from "@aws-sdk/client-sns";
import type { Destination } from "../core/destination/destination.ts";
import { isFifo } from "../core/destination/fifo.ts";
import type { Subscriptions, SubscriptionTarget } from "../core/ports.ts";
import { saysMissing } from "./answers.ts";
import { inTime, listedSubscriptions } from "./listed-subscriptions.ts";
import { type QueuePlace, queueAt, type Whereabouts } from "./whereabouts.ts";

export interface SubscriptionsOptions {
  readonly whereabouts: () => Promise<Whereabouts>;
  /** Of the own region: a subscription lives where its topic is. */
  readonly sns: SNSClient;
  /** For confirmations, which go to the topic's region. */
  readonly peerSns: (region: string) => SNSClient;
}

/** A filter policy that lets everything pass. */
const none = "{}";

/** SNS subscriptions, enveloped: the envelope names the origin, and no attribute limit bites. */
export const snsSubscriptions = ({ whereabouts, sns, peerSns }: SubscriptionsOptions): Subscriptions => ({
  subscribe: async (topic, target) => {
    const where = await whereabouts();
    const { endpoint, undelivered } = endsOf(where, topic, target);
    const { arn: topicArn } = where.topicOf(topic);
    const command = new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: "sqs",
      Endpoint: endpoint.arn,
      ...(undelivered && { Attributes: { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: undelivered.arn }) } }),
    });
    const { SubscriptionArn = "" } = await sns.send(command, inTime()).catch(async (error: unknown) => {
      const standing = saysOtherwise(error) ? await arnAt(sns, topicArn, endpoint.arn) : undefined;
      if (standing === undefined) throw error;
      return { SubscriptionArn: standing };
    });
    // Without ReturnSubscriptionArn the answer tells: an unconfirmed subscription has words in place of an arn.
    return SubscriptionArn.startsWith("arn:") ? { arn: SubscriptionArn } : "pending";
  },

  filter: async (arn, policy = none) => {
    const command = new SetSubscriptionAttributesCommand({ SubscriptionArn: arn, AttributeName: "FilterPolicy", AttributeValue: policy });
    await sns.send(command, inTime()).catch((error: unknown) => {
      // Somebody else's policies take the quota: everything is delivered, and refused later.
      if (error instanceof FilterPolicyLimitExceededException) return;
      // A subscription to another account's queue isn't ours to change, and never had one.
      if (!(policy === none && error instanceof AuthorizationErrorException)) throw error;
    });
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

/** It stands already, and has a filter that isn't named when subscribing. */
const saysOtherwise = (error: unknown): boolean => error instanceof Error && /already exists with different attributes/.test(error.message);

const arnAt = async (sns: SNSClient, topicArn: string, queueArn: string): Promise<string | undefined> => {
  for await (const page of listedSubscriptions(sns, topicArn)) {
    const found = page.find(({ endpoint }) => endpoint === queueArn);
    if (found) return found.arn;
  }
  return undefined;
};

/**
 * What SNS can't deliver to a link waits at the owner, what it can't feed in the dead letters; an own queue that is gone has nobody
 * to wait for.
 */
const endsOf = (
  where: Whereabouts,
  topic: Destination,
  target: SubscriptionTarget,
): { readonly endpoint: QueuePlace; readonly undelivered?: QueuePlace | undefined } => {
  if (target.to === "own-queue") return { endpoint: where.queueOf(target) };
  if (target.to === "feed") {
    const { feedQueue, deadLettersFifoQueue, deadLettersQueue } = where.own;
    const ordered = isFifo(topic);
    return {
      endpoint: queueAt(where.own, feedQueue(ordered)),
      undelivered: queueAt(where.own, ordered ? deadLettersFifoQueue : deadLettersQueue),
    };
  }
  const endpoint = where.inbound(target.link);
  if (!endpoint) throw new Error(`the configuration has no link ${target.link}: nothing to subscribe`);
  return { endpoint, undelivered: where.undelivered(target.link) };
};
