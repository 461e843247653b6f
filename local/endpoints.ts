import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SNSClient } from "@aws-sdk/client-sns";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";

/** Where the embedded AWS listens. The same addresses serve every region. */
export interface Endpoints {
  readonly sqs: string;
  readonly sns: string;
  readonly dynamodb: string;
  readonly ssm: string;
  readonly lambda: string;
}

/** The environment that points an AWS SDK (ours in a handler, or anybody's) at the embedded AWS. */
export const environmentFor = (endpoints: Endpoints, region: string): Readonly<Record<string, string>> => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_ENDPOINT_URL_SNS: endpoints.sns,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_SSM: endpoints.ssm,
  AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
});

export interface Clients {
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
  readonly dynamodb: DynamoDBClient;
  readonly ssm: SSMClient;
  readonly lambda: LambdaClient;
}

/** Plain SDK clients of one region. */
export const clientsFor = (endpoints: Endpoints, region: string): Clients => {
  // Each waiting long poll holds a socket.
  const common = { region, credentials, requestHandler: { httpAgent: { maxSockets: 1_000 } } };
  return {
    sqs: new SQSClient({ ...common, endpoint: endpoints.sqs, useQueueUrlAsEndpoint: false }),
    sns: new SNSClient({ ...common, endpoint: endpoints.sns }),
    dynamodb: new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb }),
    ssm: new SSMClient({ ...common, endpoint: endpoints.ssm }),
    lambda: new LambdaClient({ ...common, endpoint: endpoints.lambda }),
  };
};

export const destroyClients = (clients: Clients): void => {
  for (const client of Object.values(clients)) client.destroy();
};

const credentials = { accessKeyId: "test", secretAccessKey: "test" };
