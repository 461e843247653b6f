import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Depths } from "../core/ports.ts";
import { saysMissing } from "./answers.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** A queue that isn't there holds nothing. */
export const sqsDepths = (whereabouts: () => Promise<Whereabouts>, sqs: SQSClient): Depths => ({
  visible: async (place) => {
    const { url } = (await whereabouts()).queueOf(place);
    try {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["ApproximateNumberOfMessages"] }),
      );
      return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
    } catch (error) {
      if (saysMissing(error)) return 0;
      throw error;
    }
  },
});
