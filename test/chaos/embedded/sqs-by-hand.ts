import type { SQSEvent, SQSRecord } from "aws-lambda";
import { type Answer, type Input, newCall } from "../../support/hostile/call.ts";
import { passOn } from "../../support/hostile/gateway.ts";

export const isBatch = (event: unknown): event is SQSEvent => typeof event === "object" && event !== null && "Records" in event;

export interface QueuePlace {
  readonly region: string;
  readonly QueueUrl: string;
}

export const placeOf = (arn: string): QueuePlace => {
  const [, , , region = "", account = "", name = ""] = arn.split(":");
  return { region, QueueUrl: `http://sqs/${account}/${name}` };
};

/** A call to SQS past every fault. `address`: where it is. */
export const call = (address: string, action: string, { region, QueueUrl }: QueuePlace, input: Input): Promise<Answer> =>
  passOn(address, newCall("sqs", region, action, { QueueUrl, ...input }));

/** Whether the copy was still in its handler's hand: a receipt that the layer made up isn't SQS's, and what others deleted is gone. */
export const changeVisibility = async (
  address: string,
  { eventSourceARN, receiptHandle: ReceiptHandle }: SQSRecord,
  VisibilityTimeout: number,
): Promise<boolean> =>
  (await call(address, "ChangeMessageVisibility", placeOf(eventSourceARN), { ReceiptHandle, VisibilityTimeout })).status === 200;
