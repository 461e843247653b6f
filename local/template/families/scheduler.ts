import * as z from "zod";
import { rateMilliseconds } from "../../schedule.ts";
import { arn, type Family, generatedName, resourceType } from "../resource-type.ts";

export const scheduler: Family = {
  "AWS::Scheduler::Schedule": resourceType({
    applied: {
      Name: z.string().optional(),
      ScheduleExpression: z.string(),
      State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
      FlexibleTimeWindow: z.strictObject({ Mode: z.literal("OFF") }),
      Target: z.strictObject({
        Arn: z.string().regex(/^arn:aws:lambda:/, "only a function can be a target here"),
        Input: z.string().default("{}"),
        // Not asked for, and not needed: an invocation in this process is always accepted.
        RoleArn: z.unknown().optional(),
        RetryPolicy: z.unknown().optional(),
        DeadLetterConfig: z.unknown().optional(),
      }),
    },
    accepted: ["Description", "GroupName", "ScheduleExpressionTimezone"],
    make(schedule, context) {
      const { Name, ScheduleExpression, State, Target } = schedule.properties;
      const name = Name ?? generatedName(context, schedule, 64);
      const everyMilliseconds = rateMilliseconds(ScheduleExpression);
      if (State === "ENABLED") context.schedules.push({ functionArn: Target.Arn, everyMilliseconds, input: JSON.parse(Target.Input) });
      return { ref: name, attributes: { Arn: arn("scheduler", context.region, `schedule/default/${name}`) } };
    },
  }),
  "AWS::Scheduler::ScheduleGroup": resourceType({
    applied: { Name: z.string().optional() },
    accepted: ["Tags"],
    make: (group, context) => ({ ref: group.properties.Name ?? generatedName(context, group, 64) }),
  }),
};
