import { ListSubscriptionsByTopicCommand, type SNSClient } from "@aws-sdk/client-sns";
import type { ForeignSubscriptions } from "../core/ports.ts";
import { inTime } from "./subscriptions.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** A hundred each. Whoever stands behind them changes nothing: with so many subscriptions the topic is published to and wanted anyway. */
const mostPages = 3;

/** What SNS lists for a topic, but for ours and for what nobody has confirmed: that has words in place of an arn. */
export const snsForeignSubscriptions = ({
  whereabouts,
  sns,
}: {
  readonly whereabouts: () => Promise<Whereabouts>;
  readonly sns: SNSClient;
}): ForeignSubscriptions => ({
  list: async (topic) => {
    const where = await whereabouts();
    const page = async (left: number, NextToken?: string): Promise<readonly string[]> => {
      const command = new ListSubscriptionsByTopicCommand({ TopicArn: where.topicOf(topic).arn, ...(NextToken && { NextToken }) });
      const { Subscriptions = [], NextToken: next } = await sns.send(command, inTime());
      const foreign = Subscriptions.filter(({ Endpoint = "" }) => !where.isOwnEnd(Endpoint));
      const found = foreign.flatMap(({ SubscriptionArn = "" }) => (SubscriptionArn.startsWith("arn:") ? [SubscriptionArn] : []));
      return next && left > 1 ? [...found, ...(await page(left - 1, next))] : found;
    };
    return page(mostPages);
  },
});
