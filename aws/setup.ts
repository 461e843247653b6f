/** What has to be set before AWS can be called; read from the environment, or given by whoever embeds us. */
export interface AwsSetup {
  readonly region: string;
  /** Emulators' addresses, by service; what is absent is AWS itself. */
  readonly endpoints: Readonly<Partial<Record<AwsService, string>>>;
  /** Absent: the SDK looks in its usual places. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
}
export type AwsService = "sqs" | "sns" | "dynamodb" | "ssm" | "lambda";

/** Something has to be set before AWS can be called; the message says what and how. */
export class AwsSetupError extends Error {
  override readonly name = "AwsSetupError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

const services: readonly AwsService[] = ["sqs", "sns", "dynamodb", "ssm", "lambda"];

/** The SDK's own variables: AWS_REGION, AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_SQS and so on, AWS_ACCESS_KEY_ID and its companions. */
export const awsSetup = (env: Environment): AwsSetup => {
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  if (!region) throw new AwsSetupError("no AWS region: set AWS_REGION, for example AWS_REGION=eu-west-1");
  const endpoints = services.map((service) => [service, endpointOf(env, service)]).filter(([, endpoint]) => endpoint);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = env;
  return {
    region,
    endpoints: Object.fromEntries(endpoints),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } }),
  };
};

const endpointOf = (env: Environment, service: AwsService): string | undefined => {
  const variable = `AWS_ENDPOINT_URL_${service.toUpperCase()}`;
  const endpoint = env[variable] || env.AWS_ENDPOINT_URL;
  if (endpoint && !URL.canParse(endpoint)) {
    throw new AwsSetupError(
      `"${endpoint}" is no address of ${service}: set ${variable} (or AWS_ENDPOINT_URL) to one like http://127.0.0.1:4566`,
    );
  }
  return endpoint;
};

/** Where a call went, and with what. */
interface Call {
  readonly region: string;
  readonly endpoint?: string | undefined;
  readonly input?: object;
}

/** Says what to set, or make, where an error of a call means that something isn't; any other error stays as it is. */
export const explainAwsError = (error: unknown, { region, endpoint, input = {} }: Call): unknown => {
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === "CredentialsProviderError") {
    const how = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; an emulator takes any, such as test and test";
    return new AwsSetupError(`no AWS credentials: ${how}`, { cause: error });
  }
  if (code === "ECONNREFUSED" && endpoint) {
    return new AwsSetupError(`nothing answers at ${endpoint}: start the emulator, or unset AWS_ENDPOINT_URL to call AWS`, { cause: error });
  }
  const { TableName: table } = input as { readonly TableName?: string };
  if (name === "ResourceNotFoundException" && table !== undefined) {
    const how = "make it (the stack of a broker makes its own, AuditTable one for `once`), or mend the name, the region or the account";
    return new AwsSetupError(`no table ${table} in ${region}: ${how}`, { cause: error });
  }
  return error;
};
