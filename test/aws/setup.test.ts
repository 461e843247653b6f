import { describe, expect, test } from "vitest";
import { dynamoIn, lambdaIn, oneAttempt, snsIn, sqsIn, ssmIn } from "../../aws/clients.ts";
import { AwsSetupError, awsSetup, explainAwsError } from "../../aws/setup.ts";

const local = { AWS_REGION: "eu-west-1", AWS_ENDPOINT_URL: "http://127.0.0.1:1", AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };

describe("what has to be set", () => {
  test("a missing region is said in words", () => {
    expect(() => awsSetup({})).toThrow(new AwsSetupError("no AWS region: set AWS_REGION, for example AWS_REGION=eu-west-1"));
    expect(() => awsSetup({ AWS_REGION: "" })).toThrow(AwsSetupError);
  });

  test("AWS_DEFAULT_REGION will do, AWS_REGION comes first", () => {
    expect(awsSetup({ AWS_DEFAULT_REGION: "eu-west-1" }).region).toBe("eu-west-1");
    expect(awsSetup({ AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "us-east-1" }).region).toBe("us-east-1");
  });

  test("without endpoints AWS itself is meant, and the SDK finds credentials", () => {
    expect(awsSetup({ AWS_REGION: "eu-west-1" })).toEqual({ region: "eu-west-1", endpoints: {} });
  });

  test("a service's own endpoint comes before the one for all", () => {
    const { endpoints } = awsSetup({ ...local, AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:2" });
    expect(endpoints).toMatchObject({ sqs: "http://127.0.0.1:2", sns: "http://127.0.0.1:1", dynamodb: "http://127.0.0.1:1" });
  });

  test("what is no address is said in words, with the variable to set", () => {
    const broken = { ...local, AWS_ENDPOINT_URL_SQS: "localhost" };
    expect(() => awsSetup(broken)).toThrow(/"localhost" is no address of sqs: set AWS_ENDPOINT_URL_SQS/);
  });

  test("half of the credentials is none", () => {
    expect(awsSetup({ AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "test" })).not.toHaveProperty("credentials");
    const full = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "token" };
    expect(awsSetup({ AWS_REGION: "eu-west-1", ...full }).credentials).toEqual({
      accessKeyId: "id",
      secretAccessKey: "secret",
      sessionToken: "token",
    });
  });

  test("missing credentials are said in words, with their cause", () => {
    const cause = Object.assign(new Error("Could not load credentials from any providers"), { name: "CredentialsProviderError" });
    const explained = explainAwsError(cause, { region: "eu-west-1" });
    expect(explained).toMatchObject({ name: "AwsSetupError", message: expect.stringContaining("set AWS_ACCESS_KEY_ID"), cause });
  });

  test("a table that isn't there is named, with what to do", () => {
    const cause = Object.assign(new Error("Requested resource not found"), { name: "ResourceNotFoundException" });
    const explained = explainAwsError(cause, { region: "eu-west-1", input: { TableName: "once" } });
    expect(explained).toMatchObject({
      name: "AwsSetupError",
      message: expect.stringMatching(/^no table once in eu-west-1: make it/),
      cause,
    });
  });

  test("any other error stays as it is", () => {
    const error = new Error("something else");
    expect(explainAwsError(error, { region: "eu-west-1", endpoint: "http://127.0.0.1:1" })).toBe(error);
  });
});

describe("clients", () => {
  const setup = awsSetup(local);

  test("are made once for each region", async () => {
    const sqs = sqsIn(setup);
    expect(sqs("eu-west-1")).toBe(sqs("eu-west-1"));
    expect(await sqs("us-east-1").config.region()).toBe("us-east-1");
  });

  test.for([
    { service: "sqs", client: sqsIn(setup, oneAttempt)("eu-west-1") },
    { service: "sns", client: snsIn(setup, oneAttempt)("eu-west-1") },
    { service: "dynamodb", client: dynamoIn(setup, oneAttempt)("eu-west-1") },
    { service: "ssm", client: ssmIn(setup, oneAttempt)("eu-west-1") },
    { service: "lambda", client: lambdaIn(setup, oneAttempt)("eu-west-1") },
  ])("of $service try as often as they were told", async ({ client }) => {
    expect(await client.config.maxAttempts()).toBe(1);
  });

  test("an address where nothing answers is said in words", async () => {
    const { SendMessageCommand } = await import("@aws-sdk/client-sqs");
    const call = sqsIn(
      setup,
      oneAttempt,
    )("eu-west-1").send(new SendMessageCommand({ QueueUrl: "https://sqs.eu-west-1.amazonaws.com/0/q", MessageBody: "x" }));
    await expect(call).rejects.toThrow(
      new AwsSetupError("nothing answers at http://127.0.0.1:1: start the emulator, or unset AWS_ENDPOINT_URL to call AWS"),
    );
  });
});
