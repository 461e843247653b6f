import { Duration, Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";

/** Alarms of queues in which messages wait for a link or a consumer; without a number of seconds there are none. */
export class WaitingAlarms {
  readonly all: Alarm[] = [];
  readonly #afterSeconds: number | undefined;

  constructor(afterSeconds: number | undefined) {
    if (afterSeconds !== undefined && !(afterSeconds > 0))
      throw new Error(`alarmAfterSeconds is ${afterSeconds}: give more than 0 seconds, or leave it out for no alarm`);
    this.#afterSeconds = afterSeconds;
  }

  watch(...queues: readonly (Queue | undefined)[]): void {
    const seconds = this.#afterSeconds;
    if (seconds === undefined) return;
    for (const queue of queues) if (queue) this.all.push(waitingAlarm(queue, seconds));
  }
}

/** Raised in the minute in which the oldest message has waited for so long. SQS counts one that a carry-over sent anew from nothing. */
const waitingAlarm = (queue: Queue, afterSeconds: number): Alarm =>
  new Alarm(queue, "Waiting", {
    metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1), statistic: Stats.MAXIMUM }),
    threshold: afterSeconds,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING, // SQS gives no figures of a queue that was idle for six hours
    alarmDescription: `${Stack.of(queue).stackName}: the oldest message of a queue has waited for ${afterSeconds} s, for a link or a consumer.`,
  });
