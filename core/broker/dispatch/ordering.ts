import type { ClaimKey } from "../../carry/claim.ts";
import { destinationKey } from "../../destination/destination.ts";
import { isFifo, isFifoName } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import { groupOf, sharedGroupOf } from "../../message/group.ts";
import type { Hash, Message } from "../../message/message.ts";
import type { HandOver } from "../../ports.ts";
import type { Target } from "../../routing/plan.ts";

type Ordered = Pick<HandOver, "order">;

/**
 * A message's place among its group at a FIFO target. The deduplication id is the claim's and the target's: a hand-over that is repeated
 * after a crash has the same, the same message on another visit or out of another resting copy another one.
 */
export const orderAt = (target: Target, message: Message, key: ClaimKey, hash: Hash): Ordered => {
  switch (target.to) {
    case "queue":
    case "topic":
      return isFifo(target.destination) ? own(`${target.to}|${destinationKey(target.destination)}`, message, key, hash) : {};
    case "private":
    case "own-queue":
      return isFifoName(target.queue) ? own(`${target.to}|${target.queue}`, message, key, hash) : {};
    case "link":
    case "undelivered": {
      const place = `${target.to}|${target.link}`;
      return target.fifo ? { order: { group: sharedGroupOf(message, hash), deduplicationId: hash(`${key}|${place}`) } } : {};
    }
    case "dead-letters":
      return {};
    default:
      return target satisfies never;
  }
};

const own = (place: string, message: Message, key: ClaimKey, hash: Hash): Ordered => ({
  order: { group: groupOf(message, hash), deduplicationId: hash(`${key}|${place}`) },
});

/** A parked copy goes to its link in the group that it waited in, as another message than the one that the link may have. */
export const orderOfParked = (group: string | undefined, transportId: string, link: LinkId, hash: Hash): Ordered =>
  group === undefined ? {} : { order: { group, deduplicationId: hash(`parked|${transportId}|${link}`) } };
