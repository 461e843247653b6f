import { dynamoAudit } from "../aws/audit.ts";
import { dynamoIn } from "../aws/clients.ts";
import { memoryAudit } from "../aws/memory-audit.ts";
import { awsSetup } from "../aws/setup.ts";
import type { OnceStore } from "./once.ts";

export interface DynamoStoreOptions {
  /** A table like CDK's `AuditTable`: key `claim`, a text, and TTL by `expires`. */
  readonly table: string;
  /** Of the table: the region where the handlers run, since a call to another one is slow. @default AWS_REGION */
  readonly region?: string;
  /** The SDK's environment variables. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Remembers for 15 days, for all who share the table: two small writes for each message. */
export const dynamoStore = ({ table, region, env = process.env }: DynamoStoreOptions): OnceStore => {
  const setup = awsSetup(region === undefined ? env : { ...env, AWS_REGION: region });
  return dynamoAudit({ dynamo: dynamoIn(setup)(setup.region), table });
};

/** Remembers for 15 days in this process and forgets with it: for tests, or where one process is all there is and a restart may repeat. */
export const memoryStore = (): OnceStore => memoryAudit();
