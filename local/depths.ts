import type { buildApp } from "fauxqs";

interface Inspected {
  readonly messages: { readonly inflight: readonly { readonly visibilityDeadline: number }[] };
}

const [visible, hidden] = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;

/**
 * fauxqs counts a message as in flight until somebody receives, however long ago its visibility ended: a tick wouldn't see what a consumer
 * that is gone has left. Its answers are mended to what SQS says.
 */
export const mendDepths = (fauxqs: ReturnType<typeof buildApp>): void => {
  const overdueIn = async (queueUrl: string): Promise<number> => {
    const inspected = await fauxqs.inject(`/_fauxqs/queues/${queueUrl.split("/").at(-1)}`);
    const { messages } = inspected.json<Partial<Inspected>>(); // none of a queue that is gone by now
    return (messages?.inflight ?? []).filter(({ visibilityDeadline }) => visibilityDeadline <= Date.now()).length;
  };
  fauxqs.addHook("preSerialization", async ({ headers, body }, _reply, payload) => {
    if (headers["x-amz-target"] !== "AmazonSQS.GetQueueAttributes") return payload;
    const { Attributes } = payload as { readonly Attributes?: Readonly<Record<string, string>> };
    if (Attributes?.[visible] === undefined || Attributes[hidden] === "0") return payload;
    const overdue = await overdueIn((body as { readonly QueueUrl: string }).QueueUrl);
    const moved = { [visible]: Number(Attributes[visible]) + overdue, [hidden]: Number(Attributes[hidden]) - overdue };
    const mended = Object.entries(moved).filter(([name]) => name in Attributes);
    return { Attributes: { ...Attributes, ...Object.fromEntries(mended.map(([name, n]) => [name, String(n)])) } };
  });
};
