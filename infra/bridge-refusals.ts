import { Stack, Token } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { CfnQueue, type IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { jmsBridgeSchema } from "../core/config/schema/jms-bridge.ts";
import { whole } from "../core/config/schema/values.ts";
import type { JmsBridgeProps } from "./jms-bridge.ts";

/** What is wrong with a bridge's props: what the configuration would refuse, and what fails only when it is deployed, or runs. */
export const bridgeRefusals = (scope: Construct, props: JmsBridgeProps): readonly string[] => [
  ...valueRefusals(props),
  ...endRefusals(scope, props),
  ...batchRefusals(props),
];

const seconds = (from: number, to: number) => whole(`must be whole seconds from ${from} to ${to}`, from, to).optional();

const values = jmsBridgeSchema
  .pick({ name: true, qualityOfServiceMode: true, maxBatchSize: true, failureRetryInterval: true })
  .extend({ batchWindow: seconds(0, 300), timeoutSeconds: seconds(1, 900) });

const valueRefusals = (props: JmsBridgeProps): readonly string[] => {
  const { name, qualityOfServiceMode, maxBatchSize, failureRetryInterval, batchWindow, timeoutSeconds } = props;
  const given = { name, qualityOfServiceMode, maxBatchSize, failureRetryInterval, batchWindow, timeoutSeconds };
  return (values.safeParse(given).error?.issues ?? []).map(({ path: [key], message }) => {
    const value = given[key as keyof typeof given];
    return value === undefined ? `${String(key)} is missing: ${message}` : `${String(key)} ${JSON.stringify(value)}: ${message}`;
  });
};

const endRefusals = (scope: Construct, { source, target, timeoutSeconds = 30 }: JmsBridgeProps): readonly string[] => {
  const fifo = Object.entries({ source, target }).filter(([, end]) => end.fifo);
  const hidden = hiddenSeconds(source);
  return [
    ...fifo.map(([end]) => `its ${end} is FIFO: JMS bridges don't take FIFO yet`),
    ...(arnOf(source) === arnOf(target) ? ["its target is its source: messages would go round for ever"] : []),
    ...(isElsewhere(Stack.of(scope).region, source.env.region)
      ? [`its source is in ${source.env.region}: make the bridge in a stack of that region`]
      : []),
    ...(hidden !== undefined && hidden < timeoutSeconds
      ? [
          `its source hides a message for ${hidden} s: give it a visibilityTimeout of timeoutSeconds (${timeoutSeconds}) or more, or Lambda refuses it`,
        ]
      : []),
  ];
};

const batchRefusals = ({ maxBatchSize = 10, batchWindow = 0 }: JmsBridgeProps): readonly string[] =>
  maxBatchSize > 10 && batchWindow < 1
    ? [`maxBatchSize ${maxBatchSize}: Lambda gathers more than 10 only over a batchWindow of a second or more`]
    : [];

const isElsewhere = (here: string, there: string): boolean => ![here, there].some((region) => Token.isUnresolved(region)) && here !== there;

/** For how long a queue of this app hides what it gave out; unknown of others. */
const hiddenSeconds = (source: IQueue | ITopic): number | undefined => {
  const made = source.node.defaultChild;
  if (!(made instanceof CfnQueue)) return undefined;
  const { visibilityTimeout = 30 } = made; // SQS's default
  return Token.isUnresolved(visibilityTimeout) ? undefined : visibilityTimeout;
};

export const isTopic = (end: IQueue | ITopic): end is ITopic => "topicArn" in end;
export const arnOf = (end: IQueue | ITopic): string => (isTopic(end) ? end.topicArn : end.queueArn);
