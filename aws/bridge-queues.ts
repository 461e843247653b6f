import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Parked, RetryOrders, TakenFrom } from "../core/jms-bridge/ports.ts";
import { sendToQueue } from "./sends.ts";
import { changeVisibilityOfAll, inTens } from "./visibility.ts";
import { toTransportRecord } from "./wire.ts";

/** The queue that a bridge's source is, or that is subscribed to it. */
export const sqsTakenFrom = (sqs: SQSClient, url: string): TakenFrom => ({
  remove: async (copies) => {
    const removed = await Promise.all(
      inTens(copies).map(async (batch) => {
        const Entries = batch.map(({ receipt }, i) => ({ Id: String(i), ReceiptHandle: receipt }));
        const { Successful = [] } = await sqs
          .send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }))
          .catch(() => ({ Successful: [] }));
        return batch.map((_, i) => Successful.some(({ Id }) => Id === String(i)));
      }),
    );
    return removed.flat();
  },
});

/** `visibilitySeconds`: twice the function's timeout, less than an order's. */
export const sqsParked = (sqs: SQSClient, url: string, visibilitySeconds: number): Parked => ({
  ...sqsTakenFrom(sqs, url),
  receive: async (most) => {
    const command = new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: most,
      VisibilityTimeout: visibilitySeconds,
      WaitTimeSeconds: 1, // a long poll asks all of SQS's servers, a short one only some
      MessageAttributeNames: ["All"],
      MessageSystemAttributeNames: ["SentTimestamp", "ApproximateReceiveCount"],
    });
    const { Messages = [] } = await sqs.send(command);
    return Messages.map((message) => ({ ...toTransportRecord(message), receipt: message.ReceiptHandle ?? "" }));
  },
  giveBack: (copies) =>
    changeVisibilityOfAll(
      sqs,
      url,
      copies.map(({ receipt }) => ({ receipt, seconds: 0 })),
    ),
});

export const sqsRetryOrders = (sqs: SQSClient, url: string): RetryOrders => ({
  send: async (order, delaySeconds) => {
    const [answer] = await sendToQueue(sqs, url, [{ wire: { body: JSON.stringify(order), attributes: {} }, delaySeconds }], {
      repetitions: 1,
    });
    if (answer?.answer === "accepted") return;
    throw new Error(`no order to look after what is parked could be sent to ${url} (${answer?.why ?? "no answer"}): the batch comes again`);
  },
});
