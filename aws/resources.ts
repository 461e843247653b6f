import { CreateTopicCommand, DeleteTopicCommand, type SNSClient } from "@aws-sdk/client-sns";
import { CreateQueueCommand, DeleteQueueCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { destinationKey } from "../core/destination/destination.ts";
import { isFifoName } from "../core/destination/fifo.ts";
import type { Resource, Resources } from "../core/ports.ts";
import { saysMissing } from "./answers.ts";
import type { Place, Whereabouts } from "./whereabouts.ts";

export interface ResourcesOptions {
  readonly whereabouts: () => Promise<Whereabouts>;
  /** Goes on the tags. */
  readonly network: string;
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
}

/** A deleted queue's name is free again after a minute: the event that asked may come again then. */
class QueueNameNotFree extends Error {
  override readonly name = "QueueNameNotFree";
  readonly retryAfterSeconds = 60;
}

/** 256 KiB less 8 KiB for our header: whoever exceeds it is refused where he publishes, not in the middle. */
const largestOnTopic = (256 - 8) * 1024;

export const resourcePlace = (whereabouts: Whereabouts, resource: Resource): Place => {
  if (resource.make === "own-queue") return whereabouts.queueOf({ to: "own-queue", queue: resource.queue });
  const { destination } = resource;
  return destination.kind === "topic" ? whereabouts.topicOf(destination) : whereabouts.queueOf({ to: "queue", destination });
};

/** Queues and topics that control makes on first use. What is there already stays as it is, whatever its attributes. */
export const awsResources = ({ whereabouts, network, sqs, sns }: ResourcesOptions): Resources => ({
  make: async (resource) => {
    const where = await whereabouts();
    const place = resourcePlace(where, resource);
    const name = nameIn(place);
    const tags = tagsOf(network, where, resource, name);
    if (place.service === "sns") return makeTopic(sns, name, tags);
    return makeQueue(sqs, name, tags, {
      ...(isFifoName(name) && ordered),
      ...(resource.make === "own-queue" && { Policy: onlyOwnTopics(where, place.arn) }),
    });
  },

  remove: async (resource) => {
    const place = resourcePlace(await whereabouts(), resource);
    if (place.service === "sns") await sns.send(new DeleteTopicCommand({ TopicArn: place.arn }));
    else await sqs.send(new DeleteQueueCommand({ QueueUrl: place.url })).catch(unless(saysMissing));
  },
});

/** As every FIFO queue of a broker: each group by itself. */
const ordered = { FifoQueue: "true", DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };

const makeQueue = async (sqs: SQSClient, name: string, tags: Record<string, string>, own: Readonly<Record<string, string>>) => {
  const attributes = { MessageRetentionPeriod: String(14 * 86_400), VisibilityTimeout: "30", SqsManagedSseEnabled: "true", ...own };
  try {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes, tags }));
  } catch (cause) {
    // By name, not by class: the service's two protocols call them differently.
    const { name: code } = cause as Error;
    if (code.includes("DeletedRecently"))
      throw new QueueNameNotFree(`queue ${name} was deleted a moment ago: try again in a minute`, { cause });
    if (!/QueueNameExists|QueueAlreadyExists/.test(code)) throw cause;
  }
};

const makeTopic = async (sns: SNSClient, name: string, tags: Record<string, string>) => {
  const command = new CreateTopicCommand({
    Name: name,
    Attributes: { MaximumMessageSize: String(largestOnTopic) },
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  });
  await sns.send(command).catch(unless((error) => error instanceof Error && /already exists/.test(error.message)));
};

/** Swallows the errors that mean "nothing to do". */
const unless = (isFine: (error: unknown) => boolean) => (error: unknown) => {
  if (!isFine(error)) throw error;
};

const nameIn = ({ arn }: Place): string => arn.slice(arn.lastIndexOf(":") + 1);

/** Tag values have a small alphabet: a name beyond it is tagged by its physical form. */
const tagsOf = (network: string, { own }: Whereabouts, resource: Resource, physicalName: string): Record<string, string> => {
  const name = resource.make === "own-queue" ? resource.queue : destinationKey(resource.destination);
  const isTaggable = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,256}$/u.test(name);
  return { "spanmq:network": network, "spanmq:broker": own.place.id, "spanmq:destination": isTaggable ? name : physicalName };
};

/** SNS may deliver for this broker's topics; our own functions need no statement. */
const onlyOwnTopics = ({ own }: Whereabouts, queueArn: string): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: "sns.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: queueArn,
        Condition: { ArnLike: { "aws:SourceArn": own.topicArn(`${own.topic("")}*`) } },
      },
    ],
  });
