import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { placeKey } from "../core/broker/resting.ts";
import type { RestingCopy, RestingQueue } from "../core/ports.ts";
import type { DrainedPlace } from "../core/routing/plan.ts";
import { saysMissing } from "./answers.ts";
import { maxBatchEntries } from "./batches.ts";
import { changeVisibility, inTens } from "./visibility.ts";
import type { Whereabouts } from "./whereabouts.ts";
import { systemAttributes, toTransportRecord } from "./wire.ts";

export interface RestingQueueOptions {
  readonly whereabouts: () => Promise<Whereabouts>;
  readonly sqs: SQSClient;
  /** Twice the function's timeout. */
  readonly visibilitySeconds: number;
}

export const sqsRestingQueue = ({ whereabouts, sqs, visibilitySeconds }: RestingQueueOptions): RestingQueue => {
  const urlOf = async (place: DrainedPlace) => (await whereabouts()).queueOf(place).url;

  return {
    receive: async (place) => {
      const command = new ReceiveMessageCommand({
        QueueUrl: await urlOf(place),
        MaxNumberOfMessages: maxBatchEntries,
        VisibilityTimeout: visibilitySeconds,
        WaitTimeSeconds: 1, // a long poll asks all of SQS's servers, a short one only some
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: [...systemAttributes],
      });
      try {
        const { Messages = [] } = await sqs.send(command);
        return Messages.map((message) => ({ ...toTransportRecord(message), receipt: message.ReceiptHandle ?? "" }));
      } catch (error) {
        if (saysMissing(error)) return [];
        throw error;
      }
    },

    remove: async (place, copies) => {
      const url = await urlOf(place);
      const answers = await Promise.all(
        inTens(copies).map((batch) => sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: batch.map(toDeletion) }))),
      );
      const failed = answers.flatMap(({ Failed = [] }) => Failed);
      if (failed.length > 0) {
        throw new Error(
          `${failed.length} of ${copies.length} messages stay in ${placeKey(place)} (${failed[0]?.Code}): they were handed over and will be again`,
        );
      }
    },

    giveBack: async (place, copies) =>
      changeVisibility(
        sqs,
        await urlOf(place),
        copies.map(({ receipt }) => ({ receipt, seconds: 0 })),
      ),
  };
};

const toDeletion = ({ receipt }: RestingCopy, i: number) => ({ Id: String(i), ReceiptHandle: receipt });
