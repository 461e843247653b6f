import { isFifoName } from "../../../../core/destination/fifo.ts";
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

/** SQS wants to be told that a queue is FIFO, though its name says so. */
export const fifoNames: Fault =
  ({ isOn, fired }) =>
  async (call, next) => {
    const { action, input } = call;
    if (!isOn() || action !== "CreateQueue" || !isFifoName(subjectOf(call)) || input.Attributes?.FifoQueue === "true") return next(call);
    fired();
    return refusal(call, "InvalidParameterValue", "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length");
  };

/** A standard topic keeps no order that a FIFO queue could. */
export const fifoEndpoints: Fault =
  ({ isOn, fired }) =>
  async (call, next) => {
    const { Endpoint = "", TopicArn = "" } = call.input;
    if (!isOn() || call.action !== "Subscribe" || !isFifoName(Endpoint) || isFifoName(TopicArn)) return next(call);
    fired();
    return refusal(
      call,
      "InvalidParameter",
      "Invalid parameter: Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics",
    );
  };
