import type { buildApp } from "fauxqs";

interface Inspected {
  readonly messages: { readonly inflight: readonly { readonly visibilityDeadline: number }[] };
}

const [visible, hidden] = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
/** Marks a call of ours to fauxqs's own inspection, of which a number is all that we want. */
const overdueOnly = "?overdue";

/**
 * fauxqs counts a message as in flight until somebody receives, however long ago its visibility ended: a tick wouldn't see what a consumer
 * that is gone has left. Its answers are mended to what SQS says.
 */
export const mendDepths = (fauxqs: ReturnType<typeof buildApp>): void => {
  const overdueIn = async (queueUrl: string): Promise<number> =>
    (await fauxqs.inject(`/_fauxqs/queues/${queueUrl.split("/").at(-1)}${overdueOnly}`)).json<number>();

  const mended = async (attributes: Readonly<Record<string, string>>, queueUrl: string): Promise<Readonly<Record<string, string>>> => {
    const overdue = await overdueIn(queueUrl);
    const moved = { [visible]: Number(attributes[visible]) + overdue, [hidden]: Number(attributes[hidden]) - overdue };
    const asked = Object.entries(moved).filter(([name]) => name in attributes);
    return { ...attributes, ...Object.fromEntries(asked.map(([name, n]) => [name, String(n)])) };
  };

  fauxqs.addHook("preSerialization", async ({ headers, url, body }, _reply, payload) => {
    if (url.endsWith(overdueOnly)) return countOverdue(payload as Partial<Inspected>);
    if (headers["x-amz-target"] !== "AmazonSQS.GetQueueAttributes") return payload;
    const { Attributes } = payload as { readonly Attributes?: Readonly<Record<string, string>> };
    if (Attributes?.[visible] === undefined || Attributes[hidden] === "0") return payload;
    return { Attributes: await mended(Attributes, (body as { readonly QueueUrl: string }).QueueUrl) };
  });
};

/** None of a queue that is gone by now. */
const countOverdue = ({ messages }: Partial<Inspected>): number =>
  messages?.inflight.filter(({ visibilityDeadline }) => visibilityDeadline <= Date.now()).length ?? 0;
