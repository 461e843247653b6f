import { sqsDepths } from "../aws/depths.ts";
import { sha256 } from "../aws/keys.ts";
import { sqsRestingQueue } from "../aws/resting-queue.ts";
import { browse } from "../core/broker/browsing.ts";
import { partsOf } from "../core/destination/composite.ts";
import { type Destination, destinationKey } from "../core/destination/destination.ts";
import { isPattern } from "../core/destination/filter.ts";
import type { Ground } from "./connection.ts";
import { type BrowseOptions, SpanMqError } from "./options.ts";
import { type ReceivedMessage, receivedMessage } from "./received.ts";
import { selectorFrom } from "./selector.ts";

/** Seconds until what a browser that died had looked at is there again. */
const longestLook = 30;

/** Looks at each part of a queue's destination, one after the other. */
export const browsing = async (
  { slice, where, verify, sqs }: Ground,
  queue: Destination,
  { selector: given, most = 100 }: BrowseOptions,
): Promise<readonly ReceivedMessage[]> => {
  const selector = selectorFrom(given);
  if (!(Number.isSafeInteger(most) && most >= 1 && most <= 1_000)) throw new SpanMqError(`most ${most} isn't between 1 and 1000`);
  if (partsOf(queue).some(isPattern))
    throw new SpanMqError(`${destinationKey(queue)} is a pattern: browse looks into queues by their names, several as queue://a,b`);
  const whereabouts = async () => where;
  const ports = {
    depths: sqsDepths(whereabouts, sqs),
    resting: sqsRestingQueue({ whereabouts, sqs, visibilitySeconds: longestLook }),
  };
  const seen: ReceivedMessage[] = [];
  for (const part of partsOf(queue)) {
    const request = { queue: part, most, ...(selector !== undefined && { selector }) };
    const looked = await browse(ports, { self: slice.broker, hash: sha256, verify }, request, Date.now());
    if (looked.browse === "refused")
      throw new SpanMqError(
        `${destinationKey(part)} gives a message up after ${looked.receiveLimit} receives, and each look is one: set its maxReceiveCount to 100 or more to browse it`,
      );
    seen.push(...looked.messages.map(({ message, deliveryCount }) => receivedMessage(message, deliveryCount)));
  }
  return seen;
};
