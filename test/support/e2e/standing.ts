import { paginateListTables } from "@aws-sdk/client-dynamodb";
import { paginateListEventSourceMappings, paginateListFunctions } from "@aws-sdk/client-lambda";
import { paginateListSubscriptions, paginateListTopics } from "@aws-sdk/client-sns";
import { paginateListQueues } from "@aws-sdk/client-sqs";
import { paginateDescribeParameters } from "@aws-sdk/client-ssm";
import type { Cloud } from "./cloud.ts";

interface Standing {
  readonly service: string;
  readonly names: readonly string[];
}

/** What of a network stands in a region, service by service: every name, URL or ARN that holds the network's prefix, whoever's it is. */
export const standing = async (cloud: Cloud, network: string, region: string): Promise<readonly Standing[]> => {
  const { sqs, sns, dynamodb, lambda, ssm } = cloud.clientsFor(region);
  const answers = {
    queues: await all(paginateListQueues({ client: sqs }, { MaxResults: 1000 })),
    topics: await all(paginateListTopics({ client: sns }, {})),
    subscriptions: await all(paginateListSubscriptions({ client: sns }, {})),
    tables: await all(paginateListTables({ client: dynamodb }, {})),
    functions: await all(paginateListFunctions({ client: lambda }, {})),
    mappings: await all(paginateListEventSourceMappings({ client: lambda }, {})),
    parameters: await all(paginateDescribeParameters({ client: ssm }, {})),
    schedules: await cloud.ask(region, "scheduler", "/schedules"),
    logs: await cloud.ask(region, "logs", "/", { method: "POST", headers: describeLogGroups, body: "{}" }),
    roles: await cloud.ask(region, "iam", "/", { method: "POST", body: new URLSearchParams(listRoles) }),
  };
  const prefixed = new RegExp(`(spanmq-|/spanmq/)${network}[-/][^"\\\\<,]*`, "g");
  const namesIn = (answer: unknown) => [...new Set(JSON.stringify(answer).match(prefixed))];
  return Object.entries(answers).map(([service, answer]) => ({ service, names: namesIn(answer) }));
};

const describeLogGroups = { "x-amz-target": "Logs_20140328.DescribeLogGroups", "content-type": "application/x-amz-json-1.1" };
const listRoles = { Action: "ListRoles", Version: "2010-05-08", MaxItems: "1000" };

const all = async <T>(pages: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const page of pages) found.push(page);
  return found;
};
