import type { SQSRecord } from "aws-lambda";
import { toTransportRecord } from "../aws/event-records.ts";
import { sha256, verifierOf } from "../aws/keys.ts";
import { whereaboutsOf } from "../aws/whereabouts.ts";
import { topicBehind } from "../core/destination/topic-arn.ts";
import { decodeConsumed } from "../core/message/decode.ts";
import { findBroker } from "./deployed.ts";
import type { BrokerOptions } from "./options.ts";

/**
 * Ids of messages in a broker's queues, the same for each copy of one: what the broker signed, of a topic's message SNS's id, else SQS's.
 * The broker is asked once; where that fails the question fails, and the next one asks again.
 */
export const signedIds = (options: BrokerOptions): ((record: SQSRecord) => Promise<string>) => {
  let asked: ReturnType<typeof contextOf> | undefined;
  return async (record) => {
    asked ??= contextOf(options);
    const contextAt = await asked.catch((cause: unknown) => {
      asked = undefined;
      throw cause;
    });
    const arrival = decodeConsumed(toTransportRecord(record), contextAt(record.eventSourceARN));
    return arrival.arrival === "message" ? arrival.message.id : record.messageId;
  };
};

const contextOf = async (options: BrokerOptions) => {
  const { slice, keys } = await findBroker(options);
  const { own } = whereaboutsOf(slice, sha256);
  const check = { self: slice.broker, hash: sha256, verify: verifierOf(keys) };
  const topicOf = (arn: string) => topicBehind(slice.network, own, arn);
  /** Only at the end of a subscription is what looks like an envelope one. */
  return (queueArn: string) => (queueArn.startsWith(own.queueArn(own.ownQueue(""))) ? { ...check, topicOf } : check);
};
