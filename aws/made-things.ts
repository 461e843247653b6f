import { DeleteTopicCommand, ListTagsForResourceCommand, paginateListTopics, type SNSClient } from "@aws-sdk/client-sns";
import { DeleteQueueCommand, ListQueueTagsCommand, paginateListQueues, type SQSClient } from "@aws-sdk/client-sqs";
import type { Addresses } from "../core/destination/addresses.ts";
import type { MadeThing, MadeThings } from "../core/ports.ts";
import { saysMissing } from "./answers.ts";

export interface MadeThingsOptions {
  readonly network: string;
  readonly own: Addresses;
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
}

type Tags = Readonly<Record<string, string | undefined>>;

/** Queues and topics with this broker's prefixes and the tags that control gives. One call at a time: SNS answers ten such calls a second. */
export const awsMadeThings = ({ network, own, sqs, sns }: MadeThingsOptions): MadeThings => {
  const isOurs = (tags: Tags): boolean =>
    tags["spanmq:network"] === network && tags["spanmq:broker"] === own.place.id && tags["spanmq:destination"] !== undefined;

  const queueTags = async (name: string): Promise<Tags> =>
    (await sqs.send(new ListQueueTagsCommand({ QueueUrl: own.queueUrl(name) }))).Tags ?? {};
  const topicTags = async (name: string): Promise<Tags> => {
    const { Tags = [] } = await sns.send(new ListTagsForResourceCommand({ ResourceArn: own.topicArn(name) }));
    return Object.fromEntries(Tags.map(({ Key = "", Value }) => [Key, Value]));
  };

  const tagged = async (service: MadeThing["service"], names: readonly string[], tagsOf: (name: string) => Promise<Tags>) => {
    const things: MadeThing[] = [];
    // A list may still name what is gone.
    for (const name of names) if (isOurs(await tagsOf(name).catch(noneIfMissing))) things.push({ service, name });
    return things;
  };

  return {
    list: async () => {
      const topics = await topicNames(sns, own.topicArn(own.topic("")));
      const queues = await Promise.all([own.queue(""), own.ownQueue(""), own.temporary("")].map((prefix) => queueNames(sqs, prefix)));
      return [...(await tagged("sns", topics, topicTags)), ...(await tagged("sqs", queues.flat(), queueTags))];
    },

    remove: async ({ service, name }) => {
      if (service === "sns") await sns.send(new DeleteTopicCommand({ TopicArn: own.topicArn(name) }));
      else
        await sqs.send(new DeleteQueueCommand({ QueueUrl: own.queueUrl(name) })).catch((error: unknown) => {
          if (!saysMissing(error)) throw error;
        });
    },
  };
};

const noneIfMissing = (error: unknown): Tags => {
  if (saysMissing(error)) return {};
  throw error;
};

const queueNames = async (sqs: SQSClient, prefix: string): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqs, pageSize: 1000 }, { QueueNamePrefix: prefix }))
    names.push(...QueueUrls.map(lastPart("/")));
  return names;
};

/** SNS lists all topics of the region, whatever their names. */
const topicNames = async (sns: SNSClient, arnPrefix: string): Promise<readonly string[]> => {
  const arns: string[] = [];
  for await (const { Topics = [] } of paginateListTopics({ client: sns }, {})) arns.push(...Topics.map(({ TopicArn = "" }) => TopicArn));
  return arns.filter((arn) => arn.startsWith(arnPrefix)).map(lastPart(":"));
};

const lastPart =
  (separator: string) =>
  (text: string): string =>
    text.slice(text.lastIndexOf(separator) + 1);
