import { setTimeout as pause } from "node:timers/promises";
import { GetQueueAttributesCommand, ListQueuesCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { bodiesIn } from "../cells.ts";
import type { StandingNetwork } from "./standing-network.ts";

/** On a busy machine a look may fail: the next one tells. */
export const until = async (holds: () => boolean | Promise<boolean>, ms: number): Promise<void> => {
  const end = performance.now() + ms;
  const look = async () => holds();
  while (!(await look().catch(() => false)) && performance.now() < end) await pause(100);
};

const queuesIn = async ({ direct }: StandingNetwork): Promise<readonly string[]> => {
  const { QueueUrls = [] } = await direct("us").sqs.send(new ListQueuesCommand({ MaxResults: 1_000 }));
  return QueueUrls.filter((url) => !url.endsWith("-sys-control"));
};

export const nothingInFlight = async (network: StandingNetwork): Promise<boolean> => {
  const { sqs } = network.direct("us");
  const look = (QueueUrl: string) => sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [inFlight] }));
  const depths = await Promise.all((await queuesIn(network)).map(look));
  return depths.every(({ Attributes }) => Attributes?.[inFlight] === "0");
};
const inFlight = "ApproximateNumberOfMessagesNotVisible";

/** Messages that are visible somewhere, past the layer. */
export const standing = async (network: StandingNetwork): Promise<readonly string[]> => {
  const { sqs } = network.direct("us");
  const seen = await Promise.all((await queuesIn(network)).map((url) => bodiesAt(sqs, url)));
  return seen.flat();
};

const bodiesAt = async (sqs: SQSClient, QueueUrl: string): Promise<readonly string[]> => {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }));
  return Messages.flatMap(({ Body }) => bodiesIn(Body));
};
