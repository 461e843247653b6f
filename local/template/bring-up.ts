import * as z from "zod";
import { evaluate, type References } from "./evaluate.ts";
import { fileOf, resourceTypeNamed } from "./families.ts";
import { TemplateFault } from "./fault.ts";
import { creationOrder } from "./order.ts";
import { accountId, type Made, type StackContext } from "./resource-type.ts";
import type { ResourceDefinition, Stack } from "./template.ts";

/** Makes every resource of a stack, each after those it needs. */
export const bringUp = async (stack: Stack, context: StackContext): Promise<void> => {
  const made = new Map<string, Made>();
  for (const logicalId of creationOrder(stack.template.Resources)) {
    const definition = stack.template.Resources[logicalId];
    if (definition) made.set(logicalId, await make(logicalId, definition, referencesOf(stack, made), context));
  }
};

const make = async (logicalId: string, definition: ResourceDefinition, references: References, context: StackContext): Promise<Made> => {
  const { Type: type, Properties, Metadata: metadata } = definition;
  const refuse = (what: string, options?: ErrorOptions) => new TemplateFault(context.stackName, logicalId, what, options);
  const supported = resourceTypeNamed(type);
  if (!supported) throw refuse(`${type} is unknown to the embedded runtime: add it to ${fileOf(type)}`);
  try {
    const properties = evaluate(Properties, references) as Readonly<Record<string, unknown>>;
    return await supported.make({ logicalId, type, properties, metadata }, context);
  } catch (cause) {
    if (cause instanceof TemplateFault) throw cause;
    if (cause instanceof z.ZodError) throw refuse(`${propertyFaults(type, cause)}: see ${fileOf(type)}`, { cause });
    throw refuse(`${type} couldn't be made: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

const propertyFaults = (type: string, { issues }: z.ZodError): string =>
  issues
    .flatMap((issue) => {
      if (issue.code !== "unrecognized_keys") return [`property ${[type, ...issue.path].join(".")}: ${issue.message}`];
      return issue.keys.map((key) => `property ${[type, ...issue.path, key].join(".")} is unknown to the embedded runtime`);
    })
    .join("; ");

const referencesOf = ({ name, region }: Stack, made: ReadonlyMap<string, Made>): References => {
  const pseudoParameters: Readonly<Record<string, string>> = {
    "AWS::AccountId": accountId,
    "AWS::Partition": "aws",
    "AWS::Region": region,
    "AWS::StackId": `arn:aws:cloudformation:${region}:${accountId}:stack/${name}/embedded`,
    "AWS::StackName": name,
    "AWS::URLSuffix": "amazonaws.com",
  };
  return {
    ref(target) {
      if (target === "AWS::NoValue") return undefined;
      const value = pseudoParameters[target] ?? made.get(target)?.ref;
      if (value === undefined)
        throw new Error(`it refers to ${target}, which is neither a resource of its stack nor a known pseudo parameter`);
      return value;
    },
    attribute(logicalId, attribute) {
      const value = made.get(logicalId)?.attributes?.[attribute];
      if (value === undefined) throw new Error(`it needs ${logicalId}.${attribute}, an attribute that isn't embedded`);
      return value;
    },
  };
};
