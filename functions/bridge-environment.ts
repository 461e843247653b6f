import * as z from "zod";
import { type AwsSetup, awsSetup, type Environment } from "../aws/setup.ts";
import { destinationOf } from "../core/destination/destination.ts";
import type { JmsBridge } from "../core/jms-bridge/jms-bridge.ts";
import { jsonText, parse } from "./parse.ts";

const arn = z.string().startsWith("arn:");
const bridge = z.object({
  name: z.string(),
  qualityOfServiceMode: z.enum(["AT_MOST_ONCE", "DUPLICATES_OK", "ONCE_AND_ONLY_ONCE"]),
  addMessageIDInHeader: z.boolean(),
  failureRetryInterval: z.number(),
  /** The queue that feeds the function, what it stands for, and the topic that feeds the queue. */
  source: z.object({ queueArn: arn, destination: z.string(), topicArn: arn.optional() }),
  /** `ingress`: messages are addressed as a producer's. */
  target: z.object({ arn, destination: z.string(), ingress: z.boolean() }),
  undeliveredArn: arn,
  deadLettersArn: arn,
  ordersArn: arn,
  auditTable: z.string(),
  /** The broker whose bridge it is: it signs for what it sends, and knows what it signed. */
  broker: z.object({ id: z.string(), brainTable: z.string(), keyParameter: z.string() }).optional(),
});
const variables = z.object({
  SPANMQ_BRIDGE: jsonText.pipe(bridge),
  SPANMQ_TIMEOUT_SECONDS: z.coerce.number().int().positive(),
  AWS_LAMBDA_FUNCTION_NAME: z.string(),
});

/** What a bridge's function is deployed with. */
export interface DeployedBridge extends Omit<z.output<typeof bridge>, keyof JmsBridge | "target"> {
  readonly setup: AwsSetup;
  readonly bridge: JmsBridge;
  readonly target: z.output<typeof bridge>["target"];
  readonly functionName: string;
  readonly timeoutSeconds: number;
}

export const readBridgeEnvironment = (env: Environment): DeployedBridge => {
  const setup = awsSetup(env);
  const otherwise = "the function's environment isn't a JMS bridge's, deploy the stack again";
  const {
    SPANMQ_BRIDGE,
    SPANMQ_TIMEOUT_SECONDS: timeoutSeconds,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
  } = parse(variables, env, otherwise);
  const { name, qualityOfServiceMode, addMessageIDInHeader, failureRetryInterval, ...places } = SPANMQ_BRIDGE;
  const target = destinationOf(places.target.destination);
  return {
    ...places,
    setup,
    functionName,
    timeoutSeconds,
    bridge: { name, qualityOfServiceMode, addMessageIDInHeader, failureRetryInterval, target },
  };
};
