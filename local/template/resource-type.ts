import { createHash } from "node:crypto";
import * as z from "zod";
import type { Clients } from "../endpoints.ts";
import type { DeclaredSource } from "../event-source.ts";
import type { Environment, Functions, Handler } from "../functions.ts";
import type { Schedule } from "../schedule.ts";

/** An entry file of functions/: it makes a handler from an environment. */
export interface Entry {
  create(environment: Environment): Handler | Promise<Handler>;
}

/** What the resources of one stack are made with, and what they leave to be started when the stack stands. */
export interface StackContext {
  readonly stackName: string;
  readonly region: string;
  readonly clients: Clients;
  readonly functions: Functions;
  /** Added to each function's own environment. */
  readonly environment: Environment;
  readonly load: (entry: string) => Promise<Entry>;
  /** ARN of a function of CDK's provider framework → ARN of the function that it would call. */
  readonly providers: Map<string, string>;
  readonly sources: DeclaredSource[];
  readonly schedules: Schedule[];
}

export interface Resource<Properties = Readonly<Record<string, unknown>>> {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Properties;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What Ref and Fn::GetAtt of a made resource stand for. */
export interface Made {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface ResourceType {
  /** Properties that may stand in a template and change nothing here; docs/embedded.md says where each is proven. */
  readonly accepted: readonly string[];
  make(resource: Resource, context: StackContext): Promise<Made>;
}
export type Family = Readonly<Record<string, ResourceType>>;

interface ResourceTypeProps<Shape extends z.ZodRawShape> {
  /** Properties that the embedded resource follows. */
  readonly applied?: Shape;
  readonly accepted?: readonly string[];
  readonly make: (resource: Resource<z.infer<z.ZodObject<Shape>>>, context: StackContext) => Made | Promise<Made>;
}

/** A supported type of resource. A property that is neither applied nor accepted throws. */
export const resourceType = <Shape extends z.ZodRawShape>({
  applied = {} as Shape,
  accepted = [],
  make,
}: ResourceTypeProps<Shape>): ResourceType => {
  const properties = z.strictObject(applied);
  return {
    accepted,
    async make(resource, context) {
      const rest = Object.entries(resource.properties).filter(([name]) => !accepted.includes(name));
      return make({ ...resource, properties: properties.parse(Object.fromEntries(rest)) }, context);
    },
  };
};

/** CloudFormation's own name for a resource without one; here it is the same at every start. */
export const generatedName = ({ stackName }: StackContext, { logicalId }: { readonly logicalId: string }, limit: number): string => {
  const name = `${stackName}-${logicalId}`;
  return name.length <= limit ? name : `${name.slice(0, limit - 9)}-${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
};

export const accountId = "000000000000";
export const arn = (service: string, region: string, resource: string): string => `arn:aws:${service}:${region}:${accountId}:${resource}`;
