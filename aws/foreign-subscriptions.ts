import type { SNSClient } from "@aws-sdk/client-sns";
import type { ForeignSubscriptions } from "../core/ports.ts";
import { listedSubscriptions } from "./listed-subscriptions.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** A hundred each. Whoever stands behind them changes nothing: with so many subscriptions the topic is published to and wanted anyway. */
const mostPages = 3;

/** What SNS lists for a topic, but for ours and for what nobody has confirmed. */
export const snsForeignSubscriptions = ({
  whereabouts,
  sns,
}: {
  readonly whereabouts: () => Promise<Whereabouts>;
  readonly sns: SNSClient;
}): ForeignSubscriptions => ({
  list: async (topic) => {
    const where = await whereabouts();
    const found: string[] = [];
    let pages = 0;
    for await (const page of listedSubscriptions(sns, where.topicOf(topic).arn)) {
      found.push(...page.filter(({ arn, endpoint }) => arn.startsWith("arn:") && !where.isOwnEnd(endpoint)).map(({ arn }) => arn));
      pages += 1;
      if (pages === mostPages) break;
    }
    return found;
  },
});
