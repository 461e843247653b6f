import type { BrokerId } from "../ids.ts";

/** Where a broker lives. */
export interface BrokerPlace {
  readonly id: BrokerId;
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
}

export const partitionOf = (region: string): "aws" | "aws-cn" | "aws-us-gov" => {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
};

type Home = Pick<BrokerPlace, "region" | "account">;

/** The ARN of a resource where a broker lives; IAM knows no region. */
export const arnOf = (service: string, { region, account }: Home, resource: string): string =>
  `arn:${partitionOf(region)}:${service}:${service === "iam" ? "" : region}:${account}:${resource}`;

/** The address of an SQS queue on AWS. */
export const queueUrl = ({ region, account }: Home, name: string): string =>
  `https://sqs.${region}.amazonaws.com${partitionOf(region) === "aws-cn" ? ".cn" : ""}/${account}/${name}`;
