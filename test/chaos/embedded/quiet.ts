import { setTimeout as pause } from "node:timers/promises";
import { GetQueueAttributesCommand, ListQueuesCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { bodiesIn } from "../cells.ts";
import type { StandingNetwork } from "./standing-network.ts";

/** Looks until it holds; on a busy machine a look may fail: the next one tells. Answers why the last one didn't hold. `ms`: at most. */
export const until = async (holds: () => boolean | Promise<boolean>, ms: number): Promise<string | undefined> => {
  const end = performance.now() + ms;
  const look = async () => ((await holds()) ? undefined : "it never was so");
  for (;;) {
    const why = await look().catch(String);
    if (why === undefined || performance.now() >= end) return why;
    await pause(100);
  }
};

/** What something ended with, or why nobody knows. */
export interface Ending {
  /** What was left when it was last seen. */
  readonly left: readonly string[];
  readonly unseen: readonly string[];
}

/** Looks until nothing is left. What is left is unknown until it was seen once. `ms`: at most. */
export const endingOf = async (look: () => Promise<readonly string[]>, ms: number): Promise<Ending> => {
  let left: readonly string[] | undefined;
  const why = await until(async () => {
    left = await look();
    return left.length === 0;
  }, ms);
  return left ? { left, unseen: [] } : { left: [], unseen: [`what is left: ${why}`] };
};

/** All but those of orders, which say when to look and carry no message: they may be hidden for half an hour. */
const queuesIn = async ({ direct }: StandingNetwork): Promise<readonly string[]> => {
  const { QueueUrls = [] } = await direct("us").sqs.send(new ListQueuesCommand({ MaxResults: 1_000 }));
  return QueueUrls.filter((url) => !url.endsWith("-sys-control") && !url.endsWith("-orders"));
};

/** Queues of which somebody has messages in hand. */
export const inFlight = async (network: StandingNetwork): Promise<readonly string[]> => {
  const { sqs } = network.direct("us");
  const isFlying = async (QueueUrl: string) => {
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [notVisible] }));
    return Attributes?.[notVisible] !== "0";
  };
  const looks = (await queuesIn(network)).map(async (url) => ((await isFlying(url)) ? [url.slice(url.lastIndexOf("/") + 1)] : []));
  return (await Promise.all(looks)).flat();
};
const notVisible = "ApproximateNumberOfMessagesNotVisible";

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
