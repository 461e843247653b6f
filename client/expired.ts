import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { queueAt, type Whereabouts } from "../aws/whereabouts.ts";
import { toAttributes } from "../aws/wire.ts";
import type { BrokerSlice } from "../core/config/slice.ts";
import { subscriptionNamed } from "../core/destination/durable-queue.ts";
import type { Message, TransportRecord } from "../core/message/message.ts";
import { policyFor } from "../core/policy/policy.ts";
import type { ConsumerSpec } from "../core/presence/presence.ts";
import { reportedExpired } from "../core/routing/expiry.ts";

interface Ways {
  readonly slice: BrokerSlice;
  readonly where: Whereabouts;
  readonly sqs: SQSClient;
}

/**
 * Sends a message that has expired to its broker's ingress, if its policy wants it buried.
 * Crash window: sent and not deleted it comes again, and is buried twice.
 */
export const reportExpired = async (
  { slice, where, sqs }: Ways,
  { durable }: ConsumerSpec,
  record: TransportRecord,
  message: Message,
): Promise<void> => {
  const policy = policyFor(slice.destinationPolicies ?? [], message.destination);
  const wire = reportedExpired(record, message, policy, durable && subscriptionNamed(durable));
  if (!wire) return;
  const { url } = queueAt(where.own, where.own.ingressQueue);
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: wire.body, MessageAttributes: toAttributes(wire.attributes) }));
};
