import { type Call, entriesOf, isOutput, outputOf } from "../call.ts";
import type { Fault, Tools } from "../fault.ts";

interface Subscription {
  readonly topic: string;
  readonly endpoint: string;
  readonly deadLetters: string;
}

export const queueExists = async (ask: Tools["ask"], arn: string): Promise<boolean> => {
  const [, , , region = "", , QueueName = ""] = arn.split(":");
  return isOutput(await ask("sqs", region, "GetQueueUrl", { QueueName }));
};

/** What SNS can't deliver, since the subscription's queue is gone, goes to the subscription's dead letters, in its envelope. */
export const goneEndpoints: Fault = ({ isOn, fired, ask }) => {
  const subscriptions = new Map<string, Subscription>();

  const bury = async (call: Call, { endpoint, deadLetters }: Subscription, ids: readonly string[]): Promise<void> => {
    const [, , , region = "", account = "", name = ""] = deadLetters.split(":");
    if (await queueExists(ask, endpoint)) return;
    for (const [index, entry] of entriesOf(call).entries()) {
      if (!ids[index]) continue;
      const MessageBody = JSON.stringify(envelopeOf(call, entry, ids[index]));
      await ask("sqs", region, "SendMessage", { QueueUrl: `http://sqs/${account}/${name}`, MessageBody });
      fired();
    }
  };

  return async (call, next) => {
    const fate = await next(call);
    if (call.service !== "sns" || !isOutput(fate)) return fate;
    const { action, input } = call;
    const output = outputOf(call, fate);
    if (action === "Unsubscribe") subscriptions.delete(input.SubscriptionArn ?? "");
    if (action === "Subscribe") {
      const { deadLetterTargetArn: deadLetters } = JSON.parse(input.Attributes?.RedrivePolicy ?? "{}");
      if (deadLetters && output.SubscriptionArn)
        subscriptions.set(output.SubscriptionArn, { topic: input.TopicArn ?? "", endpoint: input.Endpoint ?? "", deadLetters });
    }
    if (!isOn() || (action !== "Publish" && action !== "PublishBatch")) return fate;
    const accepted = new Map(output.Successful?.map(({ Id, MessageId = "" }) => [Id, MessageId]) ?? [["", output.MessageId ?? ""]]);
    const ids = entriesOf(call).map(({ Id }) => accepted.get(Id) ?? "");
    const here = [...subscriptions.values()].filter(({ topic }) => topic === input.TopicArn);
    await Promise.all(here.map((subscription) => bury(call, subscription, ids)));
    return fate;
  };
};

const envelopeOf = ({ input }: Call, { Message, MessageAttributes = {} }: ReturnType<typeof entriesOf>[number], MessageId: string) => {
  const attributes = Object.entries(MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
    name,
    { Type: DataType, Value: StringValue ?? BinaryValue },
  ]);
  return {
    Type: "Notification",
    MessageId,
    TopicArn: input.TopicArn,
    Message,
    Timestamp: new Date().toISOString(),
    SignatureVersion: "1",
    ...(attributes.length > 0 && { MessageAttributes: Object.fromEntries(attributes) }),
  };
};
