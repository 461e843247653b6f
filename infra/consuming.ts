import { type IFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";

/** What a consumer of a queue calls. */
export const consuming = [
  "sqs:ReceiveMessage",
  "sqs:DeleteMessage",
  "sqs:ChangeMessageVisibility",
  "sqs:GetQueueAttributes",
  "sqs:GetQueueUrl",
] as const;

/** An imported function doesn't tell its timeout: then the longest Lambda allows. */
export const timeoutSecondsOf = (consumer: IFunction): number =>
  consumer instanceof LambdaFunction ? (consumer.timeout?.toSeconds() ?? 3) : 900;
