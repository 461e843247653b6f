import type { StackProps } from "aws-cdk-lib";

/** What belongs to one deployment of a broker rather than to its network. */
export interface BrokerStackOptions extends Omit<StackProps, "env" | "stackName"> {
  /**
   * Timeout of the broker's functions. Queues that feed them keep a message invisible for six times as long. With less than 27 a call to
   * another region may take less than its 3 s. At most 60: whoever judges a subscription counts on it that nobody is at it for longer.
   * @default 60
   */
  readonly timeoutSeconds?: number;
  /**
   * Batches of one link that dispatch works on at once, 2 or more.
   * @default - as many as Lambda finds useful
   */
  readonly linkConcurrency?: number;
  /**
   * ARN of a role that may send to inbound queues by hand.
   * @default - nobody but the network
   */
  readonly operatorsRoleArn?: string;
  /**
   * An alarm for each queue of the template where messages wait for a link or a consumer (inbound, undelivered, declared): raised when the
   * oldest has waited for so long. It has no action: `alarms` takes yours.
   * @default - no alarms, which cost
   */
  readonly alarmAfterSeconds?: number;
}

/** By then control counts an invocation of its own as over. */
const longestSeconds = 60;

export const refuseTimeout = (broker: string, timeoutSeconds: number): void => {
  if (Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= longestSeconds) return;
  throw new Error(`broker ${broker}: timeoutSeconds ${timeoutSeconds} must be whole seconds from 1 to ${longestSeconds}`);
};
