import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Addresses } from "../core/destination/addresses.ts";
import type { Contents } from "../core/ports.ts";
import { saysMissing } from "./answers.ts";

const figures = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"] as const;

export const sqsContents = (own: Addresses, sqs: SQSClient): Contents => ({
  messagesIn: async (queue) => {
    try {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: own.queueUrl(queue), AttributeNames: [...figures] }),
      );
      return figures.reduce((sum, figure) => sum + Number(Attributes[figure] ?? 0), 0);
    } catch (error) {
      if (saysMissing(error)) return 0;
      throw error;
    }
  },
});
