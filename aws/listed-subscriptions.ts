import { ListSubscriptionsByTopicCommand, type SNSClient } from "@aws-sdk/client-sns";

/** Calls run under a destination's lease of 10 s: 3 s each, the SDK's repetitions included. */
export const inTime = () => ({ abortSignal: AbortSignal.timeout(3_000) });

interface Listed {
  /** What nobody has confirmed has words in place of an arn. */
  readonly arn: string;
  readonly endpoint: string;
}

/** What SNS lists for a topic: pages of a hundred, as many as are asked for. */
export async function* listedSubscriptions(sns: SNSClient, topicArn: string): AsyncGenerator<readonly Listed[]> {
  let next: string | undefined;
  do {
    const command = new ListSubscriptionsByTopicCommand({ TopicArn: topicArn, ...(next && { NextToken: next }) });
    const { Subscriptions = [], NextToken } = await sns.send(command, inTime());
    yield Subscriptions.map(({ SubscriptionArn: arn = "", Endpoint: endpoint = "" }) => ({ arn, endpoint }));
    next = NextToken;
  } while (next);
}
