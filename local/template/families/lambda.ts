import * as z from "zod";
import { isFifoName } from "../../../core/destination/fifo.ts";
import { TemplateFault } from "../fault.ts";
import { arn, type Family, generatedName, type Resource, resourceType, type StackContext } from "../resource-type.ts";

const functionProperties = {
  FunctionName: z.string().optional(),
  Handler: z.string(),
  Timeout: z.number().default(3),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()) }).optional(),
};
const mappingProperties = {
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z.boolean().default(true),
  BatchSize: z.number().default(10),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number() }).optional(),
};
type LambdaFunction = Resource<z.infer<z.ZodObject<typeof functionProperties>>>;

export const lambda: Family = {
  "AWS::Lambda::Function": resourceType({
    applied: functionProperties,
    accepted: [
      "Architectures",
      "Code",
      "Description",
      "LoggingConfig",
      "MemorySize",
      "RecursiveLoop",
      "ReservedConcurrentExecutions",
      "Role",
      "Runtime",
      "Tags",
      "TracingConfig",
    ],
    make(resource, context) {
      const { properties } = resource;
      const name = properties.FunctionName ?? generatedName(context, resource, 64);
      const functionArn = arn("lambda", context.region, `function:${name}`);
      if (properties.Handler === "framework.onEvent") addProvider(functionArn, resource, context);
      else addFunction(functionArn, name, resource, context);
      return { ref: name, attributes: { Arn: functionArn } };
    },
  }),
  "AWS::Lambda::EventSourceMapping": resourceType({
    applied: mappingProperties,
    accepted: ["Tags"],
    make({ logicalId, properties }, { region, sources }) {
      refuseUnordered(properties);
      const source = {
        queueArn: properties.EventSourceArn,
        functionArn: functionArnOf(properties.FunctionName, region),
        enabled: properties.Enabled,
        batchSize: properties.BatchSize,
        windowSeconds: properties.MaximumBatchingWindowInSeconds,
        reportsFailures: properties.FunctionResponseTypes.length > 0,
        // Lambda would grow to many more; two at once already show what isn't safe side by side.
        concurrency: properties.ScalingConfig?.MaximumConcurrency ?? 2,
      };
      sources.push(source);
      return { ref: logicalId, attributes: { Id: logicalId } };
    },
  }),
  "AWS::Lambda::EventInvokeConfig": resourceType({
    applied: { FunctionName: z.string(), Qualifier: z.literal("$LATEST"), MaximumRetryAttempts: z.number().default(2) },
    accepted: ["MaximumEventAgeInSeconds"],
    make({ logicalId, properties }, { functions, region }) {
      functions.retry(functionArnOf(properties.FunctionName, region), properties.MaximumRetryAttempts);
      return { ref: logicalId };
    },
  }),
  "AWS::Lambda::Permission": resourceType({
    accepted: ["Action", "FunctionName", "Principal", "SourceAccount", "SourceArn"],
    make: ({ logicalId }) => ({ ref: logicalId }),
  }),
};

/** CDK's provider framework only carries a custom resource's event to its function: families/custom.ts does that itself. */
const addProvider = (functionArn: string, { logicalId, properties }: LambdaFunction, { providers, stackName }: StackContext): void => {
  const { USER_ON_EVENT_FUNCTION_ARN: onEvent, ...others } = properties.Environment?.Variables ?? {};
  if (!onEvent || Object.keys(others).some((name) => name.startsWith("USER_IS_COMPLETE"))) {
    throw new TemplateFault(
      stackName,
      logicalId,
      "only a provider with onEvent alone is embedded: others belong into local/template/families/lambda.ts",
    );
  }
  providers.set(functionArn, onEvent);
};

const addFunction = (
  functionArn: string,
  name: string,
  { logicalId, properties, metadata }: LambdaFunction,
  context: StackContext,
): void => {
  const entry = metadata["spanmq:entry"];
  if (typeof entry !== "string") {
    throw new TemplateFault(
      context.stackName,
      logicalId,
      "the function has no metadata spanmq:entry, so nobody knows which source it runs",
    );
  }
  const environment = { ...properties.Environment?.Variables, ...context.environment, AWS_LAMBDA_FUNCTION_NAME: name };
  const create = async () => (await context.load(entry)).create(environment);
  context.functions.add({ arn: functionArn, name, timeoutSeconds: properties.Timeout, create });
};

/** Lambda takes a FIFO queue's messages as they come, in tens. */
const refuseUnordered = ({
  EventSourceArn,
  BatchSize,
  MaximumBatchingWindowInSeconds,
}: z.infer<z.ZodObject<typeof mappingProperties>>): void => {
  if (isFifoName(EventSourceArn) && (BatchSize > 10 || MaximumBatchingWindowInSeconds > 0))
    throw new Error("the event source of a FIFO queue has no batching window, and batches of 10 at most");
};

const functionArnOf = (nameOrArn: string, region: string): string =>
  nameOrArn.startsWith("arn:") ? nameOrArn : arn("lambda", region, `function:${nameOrArn}`);
