import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SNSClient } from "@aws-sdk/client-sns";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import { type AwsService, type AwsSetup, explainAwsError } from "./setup.ts";

/** How long a call may take, how often it is tried, how many run at once. */
export interface CallLimits {
  /** Milliseconds; a long poll needs more than its wait. */
  readonly requestTimeout: number;
  readonly maxAttempts: number;
  /** @default 50 */
  readonly maxSockets?: number;
}

/** Calls in the own region. */
export const patient: CallLimits = { requestTimeout: 5_000, maxAttempts: 3 };
/** Calls one after the other by the hundred, which services throttle to some ten a second. */
export const untiring: CallLimits = { requestTimeout: 5_000, maxAttempts: 10 };
/** Calls to another region: a second attempt would hide that the first got no answer. */
export const oneAttempt: CallLimits = { requestTimeout: 3_000, maxAttempts: 1 };

/** One client for each region, made at its first use. */
export type ClientIn<C> = (region: string) => C;

// One function per service, so that a bundle holds only the clients its handler calls.

/** Queue URLs are computed: where to connect is the endpoint's to say. The request's signature covers its body: no digest of each message besides. */
export const sqsIn = (setup: AwsSetup, limits = patient): ClientIn<SQSClient> =>
  clientsOf(setup, "sqs", limits, (config) => new SQSClient({ ...config, useQueueUrlAsEndpoint: false, md5: false }));
export const snsIn = (setup: AwsSetup, limits = patient): ClientIn<SNSClient> =>
  clientsOf(setup, "sns", limits, (config) => new SNSClient(config));
export const dynamoIn = (setup: AwsSetup, limits = patient): ClientIn<DynamoDBClient> =>
  clientsOf(setup, "dynamodb", limits, (config) => new DynamoDBClient(config));
export const ssmIn = (setup: AwsSetup, limits = patient): ClientIn<SSMClient> =>
  clientsOf(setup, "ssm", limits, (config) => new SSMClient(config));
export const lambdaIn = (setup: AwsSetup, limits = patient): ClientIn<LambdaClient> =>
  clientsOf(setup, "lambda", limits, (config) => new LambdaClient(config));

type Config = ReturnType<typeof configOf>;

const clientsOf = <C extends { readonly middlewareStack: unknown }>(
  setup: AwsSetup,
  service: AwsService,
  limits: CallLimits,
  make: (config: Config) => C,
): ClientIn<C> => {
  const clients = new Map<string, C>();
  return (region) => {
    const known = clients.get(region);
    if (known) return known;
    const client = make(configOf(setup, service, region, limits));
    speakInWords(client, { region, endpoint: setup.endpoints[service] });
    clients.set(region, client);
    return client;
  };
};

const configOf = ({ endpoints, credentials }: AwsSetup, service: AwsService, region: string, limits: CallLimits) => {
  const { requestTimeout, maxAttempts, maxSockets = 50 } = limits;
  const endpoint = endpoints[service];
  const agents = { httpAgent: { maxSockets }, httpsAgent: { maxSockets } };
  return {
    region,
    maxAttempts,
    cacheMiddleware: true, // nobody adds to a client's stack once it has made a call
    requestHandler: { connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true, ...agents },
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  };
};

/** The SDK's stacks differ in their commands' types only. */
const speakInWords = (
  client: { readonly middlewareStack: unknown },
  to: { readonly region: string; readonly endpoint: string | undefined },
): void =>
  (client.middlewareStack as SQSClient["middlewareStack"]).add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw explainAwsError(error, { ...to, input: args.input });
      }
    },
    { step: "initialize", name: "speakInWords" },
  );
