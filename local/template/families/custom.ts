import { randomUUID } from "node:crypto";
import * as z from "zod";
import { TemplateFault } from "../fault.ts";
import { accountId, type Family, type ResourceType } from "../resource-type.ts";

const answer = z
  .object({ PhysicalResourceId: z.string().optional(), Data: z.record(z.string(), z.coerce.string()).optional() })
  .nullable()
  .transform((given) => given ?? {});

/** Calls the provider's own function, as CDK's provider framework would, and waits for it. All its properties are the function's business. */
export const customResource: ResourceType = {
  accepted: [],
  async make({ logicalId, type, properties }, { stackName, region, providers, functions }) {
    const onEvent = providers.get(String(properties.ServiceToken));
    if (!onEvent)
      throw new TemplateFault(stackName, logicalId, "its ServiceToken is no function of CDK's provider framework: no other is embedded");
    const RequestId = randomUUID();
    const event = {
      RequestType: "Create",
      RequestId,
      StackId: `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/embedded`,
      LogicalResourceId: logicalId,
      ResourceType: type,
      ResourceProperties: asTexts(properties),
    };
    const { PhysicalResourceId = RequestId, Data = {} } = answer.parse(await functions.invoke(onEvent, event));
    return { ref: PhysicalResourceId, attributes: Data };
  },
};

export const custom: Family = { "AWS::CloudFormation::CustomResource": customResource };

/** CloudFormation hands every number and boolean of a custom resource over as text. */
const asTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== "object" || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asTexts(item)]));
};
