import { GetQueueAttributesCommand, type QueueAttributeName, type SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import type { Depths } from "../core/ports.ts";
import type { DrainedPlace } from "../core/routing/plan.ts";
import { saysMissing } from "./answers.ts";
import type { Whereabouts } from "./whereabouts.ts";

const numbers = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"] as const;

/** A queue that isn't there holds nothing. */
export const sqsDepths = (whereabouts: () => Promise<Whereabouts>, sqs: SQSClient): Depths => {
  const attributesOf = async (place: DrainedPlace, names: QueueAttributeName[]): Promise<Partial<Record<string, string>>> => {
    const { url } = (await whereabouts()).queueOf(place);
    try {
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: names }));
      return Attributes;
    } catch (error) {
      if (saysMissing(error)) return {};
      throw error;
    }
  };
  return {
    visible: async (place) => Number((await attributesOf(place, [numbers[0]]))[numbers[0]] ?? 0),
    read: async (place) => {
      const { RedrivePolicy, ...attributes } = await attributesOf(place, [...numbers, "RedrivePolicy"]);
      const [visible = 0, ...hidden] = numbers.map((name) => Number(attributes[name] ?? 0));
      const receiveLimit = receiveLimitIn(RedrivePolicy);
      return { visible, all: hidden.reduce((sum, n) => sum + n, visible), ...(receiveLimit !== undefined && { receiveLimit }) };
    },
  };
};

/** SQS writes the number as a number or as text, as it was set. */
const redrivePolicy = z.object({ maxReceiveCount: z.coerce.number() });

const receiveLimitIn = (policy: string | undefined): number | undefined =>
  policy === undefined ? undefined : redrivePolicy.safeParse(JSON.parse(policy)).data?.maxReceiveCount;
