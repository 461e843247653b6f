import { EventSourceMapping, type IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

export interface BatchesOfProps {
  readonly queueArn: string;
  readonly consumer: IFunction;
  /** @default - as many batches at once as Lambda finds useful */
  readonly maxConcurrency?: number | undefined;
}

/** Feeds a function from a queue, in batches of what SQS hands out in one receive, of which only the failed records come again. */
export const batchesOf = (scope: Construct, id: string, { queueArn, consumer, maxConcurrency }: BatchesOfProps): EventSourceMapping =>
  new EventSourceMapping(scope, id, {
    target: consumer,
    eventSourceArn: queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
    ...(maxConcurrency !== undefined && { maxConcurrency }),
  });
