import { type Family, resourceType } from "../resource-type.ts";

export const cdk: Family = {
  "AWS::CDK::Metadata": resourceType({ accepted: ["Analytics"], make: ({ logicalId }) => ({ ref: logicalId }) }),
};
