import { setTimeout as pause } from "node:timers/promises";
import type { SQSEvent } from "aws-lambda";
import { newCall } from "../../support/hostile/call.ts";
import { passOn } from "../../support/hostile/gateway.ts";
import type { Fates } from "../fates.ts";
import type { Lot } from "./mortal-functions.ts";

/** One in so many invocations. */
const [mortality, slowness] = [8, 10];
const mostCalls = 10;
/** Milliseconds: others take a batch meanwhile. Less than any call of a handler waits for its answer. */
const slow = 1_500;

/** Draws what befalls an invocation: it dies; or it is slow, and the visibility of its batch runs out. `sqs`: its address, past all faults. */
export const drawLot = (fate: Fates, sqs: () => string, event: unknown): Lot | undefined => {
  const afterCalls = Math.floor(fate.draw("after calls") * mostCalls);
  if (fate.strikes("crash", "invocation", mortality, event)) return { afterCalls, befalls: async () => "dies" };
  if (!isBatch(event) || fate.draw("slow") >= 1 / slowness) return undefined;
  const isSlow = async () => {
    if ((await endVisibility(sqs(), event)) > 0) fate.struck("visibility runs out", "invocation", event);
    await pause(slow);
    return "goes on" as const;
  };
  return { afterCalls, befalls: isSlow };
};

const isBatch = (event: unknown): event is SQSEvent => typeof event === "object" && event !== null && "Records" in event;

/** Of how many: a receipt that the layer made up isn't SQS's, and a copy that was deleted by others is gone. */
const endVisibility = async (sqs: string, { Records }: SQSEvent): Promise<number> => {
  const answers = await Promise.all(
    Records.map(({ eventSourceARN, receiptHandle: ReceiptHandle }) => {
      const [, , , region = "", account = "", name = ""] = eventSourceARN.split(":");
      const QueueUrl = `http://sqs/${account}/${name}`;
      return passOn(sqs, newCall("sqs", region, "ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    }),
  );
  return answers.filter(({ status }) => status === 200).length;
};
