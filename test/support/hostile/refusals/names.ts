import { isOutput, subjectOf } from "../call.ts";
import type { Fault } from "../fault.ts";
import { queueExists } from "../faults/gone-endpoints.ts";
import { refusal } from "../refusal.ts";

/** A deleted queue's name is free again only after a minute. */
export const deletedNames: Fault = ({ isOn, fired, now }) => {
  const freeAt = new Map<string, number>();
  return async (call, next) => {
    const queue = subjectOf(call);
    if (call.action === "CreateQueue" && isOn() && now() < (freeAt.get(queue) ?? 0)) {
      fired();
      return refusal(
        call,
        "QueueDeletedRecently",
        "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
      );
    }
    const fate = await next(call);
    if (call.action === "DeleteQueue" && isOutput(fate)) freeAt.set(queue, now() + 60_000);
    return fate;
  };
};

/** Nobody subscribes a queue that isn't there. */
export const missingEndpoints: Fault =
  ({ isOn, fired, ask }) =>
  async (call, next) => {
    const { Endpoint = "", TopicArn = "" } = call.input;
    if (
      !isOn() ||
      call.action !== "Subscribe" ||
      !Endpoint.startsWith("arn:aws:sqs:") ||
      (await queueExists(ask, Endpoint)) ||
      !isOutput(await ask("sns", call.region, "GetTopicAttributes", { TopicArn }))
    )
      return next(call);
    fired();
    return refusal(call, "InvalidParameter", `Invalid parameter: Endpoint Reason: no queue ${Endpoint}`);
  };
