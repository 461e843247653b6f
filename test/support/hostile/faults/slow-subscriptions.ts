import { answering, type Call, isOutput, outputOf } from "../call.ts";
import type { Fault } from "../fault.ts";

const slowest = 30_000;
const nothing = '{"SpanMQ.nobody":["sets this"]}';

interface Slowed {
  readonly arn: string;
  readonly topic: string;
  /** When SNS begins to deliver; absent once it does. */
  readonly until?: number;
}

/** Subscribe is answered, and SNS delivers only up to 30 seconds later. Until then a filter policy lets nothing through. */
export const slowSubscriptions: Fault = ({ draws, fired, chance, now, ask }) => {
  const slowed = new Map<string, Slowed>();
  const filter = (region: string, SubscriptionArn: string, policy: string) =>
    ask("sns", region, "SetSubscriptionAttributes", { SubscriptionArn, ...{ AttributeName: "FilterPolicy", AttributeValue: policy } });

  const beginDue = async ({ region, input }: Call): Promise<void> => {
    const due = [...slowed].filter(([, { topic, until = Number.POSITIVE_INFINITY }]) => topic === input.TopicArn && until <= now());
    for (const [key, { arn, topic }] of due) slowed.set(key, { arn, topic });
    await Promise.all(due.map(([, { arn }]) => filter(region, arn, "")));
  };
  const stillThere = async ({ region }: Call, SubscriptionArn: string): Promise<boolean> =>
    isOutput(await ask("sns", region, "GetSubscriptionAttributes", { SubscriptionArn }));

  return async (call, next) => {
    const { action, region, input } = call;
    if (action === "Publish" || action === "PublishBatch") await beginDue(call);
    if (action !== "Subscribe") return next(call);
    const { TopicArn: topic = "", Endpoint, Attributes } = input;
    const key = JSON.stringify([topic, Endpoint, Attributes]);
    const known = slowed.get(key);
    // To the emulator our filter policy would be a difference.
    if (known && (await stillThere(call, known.arn))) return answering(call, { SubscriptionArn: known.arn });
    const fate = await next(call);
    if (!isOutput(fate) || !draws(call)) return fate;
    fired();
    const { SubscriptionArn: arn = "" } = outputOf(call, fate);
    slowed.set(key, { arn, topic, until: now() + slowest * chance(call) });
    await filter(region, arn, nothing);
    return fate;
  };
};
