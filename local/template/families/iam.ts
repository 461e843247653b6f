import * as z from "zod";
import { accountId, type Family, generatedName, resourceType } from "../resource-type.ts";

const attached = ["Groups", "PolicyDocument", "Roles", "Users"];

/** Nobody is asked for permission here: what a role may do is proven by test/infra. */
export const iam: Family = {
  "AWS::IAM::Role": resourceType({
    applied: { RoleName: z.string().optional() },
    accepted: ["AssumeRolePolicyDocument", "Description", "ManagedPolicyArns", "Policies", "Tags"],
    make(role, context) {
      const name = role.properties.RoleName ?? generatedName(context, role, 64);
      return { ref: name, attributes: { Arn: `arn:aws:iam::${accountId}:role/${name}`, RoleId: role.logicalId } };
    },
  }),
  "AWS::IAM::Policy": resourceType({ accepted: [...attached, "PolicyName"], make: ({ logicalId }) => ({ ref: logicalId }) }),
  "AWS::IAM::ManagedPolicy": resourceType({
    accepted: [...attached, "Description", "ManagedPolicyName", "Path"],
    make: ({ logicalId }) => ({ ref: `arn:aws:iam::${accountId}:policy/${logicalId}` }),
  }),
};
