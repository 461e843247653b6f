import { GetTopicAttributesCommand, type SNSClient } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { BridgePlan, BridgeTargets } from "../core/jms-bridge/ports.ts";
import type { HandOverAnswer } from "../core/ports.ts";
import { publishToTopic, sendToQueue } from "./sends.ts";
import type { Place, QueuePlace } from "./whereabouts.ts";

export interface BridgeTargetsOptions {
  readonly target: Place;
  readonly undelivered: QueuePlace;
  readonly deadLetters: QueuePlace;
  /** Of the own region. */
  readonly sqs: SQSClient;
  /** Of the target's region. One attempt for each call: an SDK retry would hide that an earlier attempt got no answer. */
  readonly targetSqs: SQSClient;
  readonly targetSns: SNSClient;
}

export const awsBridgeTargets = (options: BridgeTargetsOptions): BridgeTargets => {
  const { target, undelivered, deadLetters, sqs, targetSqs, targetSns } = options;
  const send: Readonly<Record<BridgePlan, (messages: Parameters<typeof sendToQueue>[2]) => Promise<readonly HandOverAnswer[]>>> = {
    target: (messages) =>
      target.service === "sns" ? publishToTopic(targetSns, target.arn, messages) : sendToQueue(targetSqs, target.url, messages),
    undelivered: (messages) => sendToQueue(sqs, undelivered.url, messages),
    "dead-letters": (messages) => sendToQueue(sqs, deadLetters.url, messages),
  };
  const look = (): Promise<unknown> =>
    target.service === "sns"
      ? targetSns.send(new GetTopicAttributesCommand({ TopicArn: target.arn }))
      : targetSqs.send(new GetQueueAttributesCommand({ QueueUrl: target.url, AttributeNames: ["QueueArn"] }));

  return {
    handOver: async (handOvers) => {
      const answers: HandOverAnswer[] = [];
      const bound = handOvers.map(({ to, wire }, index) => ({ to, wire, index }));
      const groups = [...Map.groupBy(bound, ({ to }) => to)].map(async ([to, group]) => {
        const received = await send[to](group.map(({ wire }) => ({ wire })));
        for (const [i, { index }] of group.entries()) answers[index] = received[i] ?? { answer: "silent", why: "no answer" };
      });
      await Promise.all(groups);
      return answers;
    },
    isThere: () =>
      look().then(
        () => true,
        () => false,
      ),
  };
};
