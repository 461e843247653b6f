import { cdk } from "./families/cdk.ts";
import { custom, customResource } from "./families/custom.ts";
import { dynamodb } from "./families/dynamodb.ts";
import { iam } from "./families/iam.ts";
import { lambda } from "./families/lambda.ts";
import { logs } from "./families/logs.ts";
import { scheduler } from "./families/scheduler.ts";
import { sns } from "./families/sns.ts";
import { sqs } from "./families/sqs.ts";
import type { ResourceType } from "./resource-type.ts";

/** By the service in a type's name, which is also the name of its file. */
const families = {
  CDK: cdk,
  CloudFormation: custom,
  DynamoDB: dynamodb,
  IAM: iam,
  Lambda: lambda,
  Logs: logs,
  Scheduler: scheduler,
  SNS: sns,
  SQS: sqs,
};

export const resourceTypes: Readonly<Record<string, ResourceType>> = Object.assign({}, ...Object.values(families));

export const resourceTypeNamed = (name: string): ResourceType | undefined =>
  name.startsWith("Custom::") ? customResource : resourceTypes[name];

/** The file that supports a type, or would. */
export const fileOf = (name: string): string => {
  const service = name.split("::")[1] ?? name;
  return `local/template/families/${service === "CloudFormation" ? "custom" : service.toLowerCase()}.ts`;
};
