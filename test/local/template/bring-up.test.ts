import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientsFor } from "../../../local/endpoints.ts";
import { localFunctions } from "../../../local/functions.ts";
import { bringUp } from "../../../local/template/bring-up.ts";
import { resourceTypes } from "../../../local/template/families.ts";
import { TemplateFault } from "../../../local/template/fault.ts";
import { readStack } from "../../../local/template/template.ts";

const nowhere = "http://127.0.0.1:9";
const endpoints = { sqs: nowhere, sns: nowhere, dynamodb: nowhere, ssm: nowhere, lambda: nowhere };

const faultOf = async (resources: object): Promise<unknown> => {
  const stack = readStack("stack-a", "eu-west-1", { Resources: resources });
  const load = () => Promise.reject(new Error("nothing to load"));
  const context = {
    stackName: stack.name,
    region: stack.region,
    clients: clientsFor(endpoints, stack.region),
    functions: localFunctions(),
  };
  return bringUp(stack, { ...context, load, environment: {}, providers: new Map(), sources: [], schedules: [] }).then(
    () => "made",
    (error) => error,
  );
};
const aFunction = { Type: "AWS::Lambda::Function", Properties: { Handler: "index.handler" } };
const ofFifo = { EventSourceArn: "arn:aws:sqs:eu-west-1:000000000000:orders.fifo", FunctionName: "f" };
const aTick = (properties: object) => ({
  Type: "AWS::Scheduler::Schedule",
  Properties: {
    ScheduleExpression: "rate(1 minute)",
    FlexibleTimeWindow: { Mode: "OFF" },
    Target: { Arn: "arn:aws:lambda:x", RoleArn: "r" },
    ...properties,
  },
});
const frameworkWith = (Variables: object) => ({
  ...aFunction,
  Properties: { Handler: "framework.onEvent", Environment: { Variables } },
});

describe("a template that asks for what isn't embedded", () => {
  test.for([
    {
      rule: "an unknown type of a known service names the service's file",
      resource: { Type: "AWS::SQS::QueueInlinePolicy" },
      says: "AWS::SQS::QueueInlinePolicy is unknown to the embedded runtime: add it to local/template/families/sqs.ts",
    },
    {
      rule: "an unknown service names the file to write",
      resource: { Type: "AWS::KMS::Key" },
      says: "AWS::KMS::Key is unknown to the embedded runtime: add it to local/template/families/kms.ts",
    },
    {
      rule: "an unknown property is named with the file to extend",
      resource: { Type: "AWS::SQS::Queue", Properties: { Colour: "red" } },
      says: "property AWS::SQS::Queue.Colour is unknown to the embedded runtime: see local/template/families/sqs.ts",
    },
    {
      rule: "an unknown property inside another is named by its path",
      resource: aTick({ Target: { Arn: "arn:aws:lambda:x", SqsParameters: {} } }),
      says: "property AWS::Scheduler::Schedule.Target.SqsParameters is unknown",
    },
    {
      rule: "a value that isn't embedded is named by its property",
      resource: { Type: "AWS::SNS::Subscription", Properties: { TopicArn: "t", Endpoint: "e", Protocol: "lambda" } },
      says: "property AWS::SNS::Subscription.Protocol",
    },
    {
      rule: "a schedule that is no rate is named",
      resource: aTick({ ScheduleExpression: "cron(0 12 * * ? *)" }),
      says: "cron(0 12 * * ? *)",
    },
    {
      rule: "a batching window of a FIFO queue is refused, as Lambda does",
      resource: { Type: "AWS::Lambda::EventSourceMapping", Properties: { ...ofFifo, MaximumBatchingWindowInSeconds: 1 } },
      says: "the event source of a FIFO queue has no batching window, and batches of 10 at most",
    },
    {
      rule: "so is a larger batch",
      resource: { Type: "AWS::Lambda::EventSourceMapping", Properties: { ...ofFifo, BatchSize: 11 } },
      says: "the event source of a FIFO queue has no batching window, and batches of 10 at most",
    },
    { rule: "a function without its source is refused", resource: aFunction, says: "no metadata spanmq:entry" },
    {
      rule: "a provider that polls for completion is refused",
      resource: frameworkWith({ USER_ON_EVENT_FUNCTION_ARN: "a", USER_IS_COMPLETE_FUNCTION_ARN: "b" }),
      says: "only a provider with onEvent alone is embedded",
    },
    {
      rule: "a custom resource without a provider is refused",
      resource: { Type: "Custom::Thing", Properties: { ServiceToken: "arn:aws:sns:x" } },
      says: "its ServiceToken is no function of CDK's provider framework",
    },
    {
      rule: "a reference to nothing is refused",
      resource: { Type: "AWS::IAM::Role", Properties: { Tags: { Ref: "Nobody" } } },
      says: "refers to Nobody",
    },
  ])("$rule", async ({ resource, says }) => {
    const fault = await faultOf({ Thing: resource });
    expect(fault).toBeInstanceOf(TemplateFault);
    expect(fault).toMatchObject({
      stackName: "stack-a",
      logicalId: "Thing",
      message: expect.stringContaining("stack stack-a, resource Thing: "),
    });
    expect((fault as TemplateFault).message).toContain(says);
  });

  test("an attribute that isn't embedded is named with its resource", async () => {
    const role = { Type: "AWS::IAM::Role" };
    const policy = { Type: "AWS::IAM::Policy", Properties: { Roles: [{ "Fn::GetAtt": ["Role", "Colour"] }] } };
    expect(await faultOf({ Role: role, Policy: policy })).toMatchObject({ message: expect.stringContaining("it needs Role.Colour") });
  });

  test("what a service answers is kept as the cause", async () => {
    const fault = await faultOf({ Queue: { Type: "AWS::SQS::Queue" } });
    expect(fault).toMatchObject({ message: expect.stringContaining("AWS::SQS::Queue couldn't be made"), cause: { code: "ECONNREFUSED" } });
  });
});

describe("what has no effect when embedded", () => {
  const documentation = readFileSync(new URL("../../../docs/embedded.md", import.meta.url), "utf8");
  const accepted = Object.entries(resourceTypes).flatMap(([type, { accepted: names }]) => names.map((name) => ({ type, name })));

  test.for(accepted)("$type $name stands in docs/embedded.md", ({ type, name }) => {
    expect(documentation.split("\n").some((line) => line.includes(`\`${type}\``) && line.includes(`\`${name}\``))).toBe(true);
  });
});
