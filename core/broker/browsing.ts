import type { Destination } from "../destination/destination.ts";
import { decodeConsumed, type OwnContext } from "../message/decode.ts";
import type { Message, TransportRecord } from "../message/message.ts";
import type { Depths, RestingCopy, RestingQueue } from "../ports.ts";
import { isExpired } from "../routing/expiry.ts";
import { compileSelector } from "../selector/compile.ts";

export interface BrowsePorts {
  readonly depths: Pick<Depths, "read">;
  readonly resting: Pick<RestingQueue, "receive" | "giveBack">;
}

export interface BrowseRequest {
  readonly queue: Destination;
  readonly selector?: string;
  /** So many messages are looked at, rounded up to tens. */
  readonly most: number;
}

export type Browsed =
  | { readonly browse: "seen"; readonly messages: readonly BrowsedMessage[] }
  /** The queue gives a message up after so few receives that looking at it might be what does it. */
  | { readonly browse: "refused"; readonly receiveLimit: number };
export interface BrowsedMessage {
  readonly message: Message;
  readonly deliveryCount: number;
}

/** A queue that gives up sooner isn't looked at. */
const fewestReceives = 100;

/**
 * Looks at what rests in a queue, on nobody's behalf: no demand, nothing taken. SQS shows a message only by a receive, so what is looked at
 * is out of consumers' sight until the look is over and counts as received once more; what a consumer has in hand isn't seen.
 * Crash window: what was received and not given back is there again when its visibility ends.
 */
export const browse = async (
  { depths, resting }: BrowsePorts,
  context: OwnContext,
  { queue, selector, most }: BrowseRequest,
  now: number,
): Promise<Browsed> => {
  const place = { to: "queue", destination: queue } as const;
  const { receiveLimit } = await depths.read(place);
  if (receiveLimit !== undefined && receiveLimit < fewestReceives) return { browse: "refused", receiveLimit };
  const copies: RestingCopy[] = [];
  try {
    while (copies.length < most) {
      const more = await resting.receive(place);
      if (more.length === 0) break;
      copies.push(...more);
    }
  } finally {
    await resting.giveBack(place, copies);
  }
  const matches = selector === undefined ? () => true : compileSelector(selector);
  const messages = copies
    .flatMap((copy) => browsedIn(copy, queue, context))
    .filter(({ message, deliveryCount }) => !isExpired(message, now) && matches({ ...message, deliveryCount }));
  return { browse: "seen", messages };
};

const browsedIn = (record: TransportRecord, destination: Destination, context: OwnContext): readonly BrowsedMessage[] => {
  const arrival = decodeConsumed(record, { ...context, destination });
  return arrival.arrival === "message" ? [{ message: arrival.message, deliveryCount: record.receiveCount }] : [];
};
