import * as z from "zod";

/** What the embedded runtime reads of a resource. Anything else (a Condition, an UpdatePolicy) is refused, not overlooked. */
const resourceDefinition = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  Metadata: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
});
export type ResourceDefinition = z.infer<typeof resourceDefinition>;

/** Parameters and Rules are the bootstrap check every CDK stack carries; nothing reads them here. Conditions, Mappings and Transform are refused. */
const template = z.strictObject({
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.strictObject({ BootstrapVersion: z.unknown() }).optional(),
  Rules: z.strictObject({ CheckBootstrapVersion: z.unknown() }).optional(),
  Outputs: z.unknown().optional(),
  Resources: z.record(z.string(), resourceDefinition),
});
export type Template = z.infer<typeof template>;

/** One synthesised stack and where it is to be brought up. */
export interface Stack {
  readonly name: string;
  readonly region: string;
  readonly template: Template;
}

export const readStack = (name: string, region: string, json: unknown): Stack => {
  const read = template.safeParse(json);
  if (read.success) return { name, region, template: read.data };
  throw new Error(`stack ${name}: its template has parts local/template/template.ts doesn't read:\n${z.prettifyError(read.error)}`);
};
