import { CreateQueueCommand, type QueueAttributeName } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { arn, type Family, generatedName, resourceType } from "../resource-type.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]).optional();
const redrive = z.record(z.string(), z.unknown()).optional();

export const sqs: Family = {
  "AWS::SQS::Queue": resourceType({
    applied: {
      QueueName: z.string().optional(),
      FifoQueue: z.literal(true).optional(),
      ContentBasedDeduplication: scalar,
      DeduplicationScope: scalar,
      FifoThroughputLimit: scalar,
      VisibilityTimeout: scalar,
      DelaySeconds: scalar,
      MaximumMessageSize: scalar,
      MessageRetentionPeriod: scalar,
      ReceiveMessageWaitTimeSeconds: scalar,
      RedrivePolicy: redrive,
      RedriveAllowPolicy: redrive,
    },
    accepted: ["SqsManagedSseEnabled", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "Tags"],
    async make(queue, context) {
      const { QueueName, ...attributes } = queue.properties;
      const name = QueueName ?? generatedName(context, queue, 75) + (attributes.FifoQueue ? ".fifo" : "");
      const { QueueUrl = "" } = await context.clients.sqs.send(
        new CreateQueueCommand({ QueueName: name, Attributes: asTexts(attributes) }),
      );
      return { ref: QueueUrl, attributes: { Arn: arn("sqs", context.region, name), QueueName: name, QueueUrl } };
    },
  }),
  "AWS::SQS::QueuePolicy": resourceType({ accepted: ["PolicyDocument", "Queues"], make: ({ logicalId }) => ({ ref: logicalId }) }),
};

const asTexts = (attributes: Readonly<Record<string, unknown>>): Partial<Record<QueueAttributeName, string>> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
