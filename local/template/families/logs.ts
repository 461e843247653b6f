import * as z from "zod";
import { arn, type Family, generatedName, resourceType } from "../resource-type.ts";

/** Handlers write to this process's own output; a log group only has a name here. */
export const logs: Family = {
  "AWS::Logs::LogGroup": resourceType({
    applied: { LogGroupName: z.string().optional() },
    accepted: ["RetentionInDays", "Tags"],
    make(group, context) {
      const name = group.properties.LogGroupName ?? generatedName(context, group, 512);
      return { ref: name, attributes: { Arn: arn("logs", context.region, `log-group:${name}:*`) } };
    },
  }),
};
