import { isFifoName } from "../../../core/destination/fifo.ts";
import type { Order } from "../../../core/ports.ts";

/** How long SQS and SNS know a deduplication id, whatever became of its message. */
const knownFor = 5 * 60_000;

/** What the service answers with an error is a mistake of the caller here: it throws. */
export const refuseMisuse = (arn: string, order: Order | undefined, delaySeconds = 0): void => {
  const legal = /^[!-~]{1,128}$/;
  if (!isFifoName(arn)) {
    if (order) throw new Error(`${arn} isn't FIFO and takes no MessageDeduplicationId`);
    return;
  }
  if (!order) throw new Error(`${arn} is FIFO and needs a MessageGroupId and a MessageDeduplicationId`);
  if (!legal.test(order.group)) throw new Error(`${arn} can't take the MessageGroupId ${order.group}`);
  if (!legal.test(order.deduplicationId)) throw new Error(`${arn} can't take the MessageDeduplicationId ${order.deduplicationId}`);
  if (delaySeconds > 0) throw new Error(`${arn} is FIFO and takes no DelaySeconds for one message`);
};

/** Remembers what was sent, by group: answers the id of the first of equals, or takes note of this one. */
export const deduplication = (now: () => number) => {
  const known = new Map<string, { readonly id: string; readonly until: number }>();
  return (arn: string, { group, deduplicationId }: Order, id: string): string => {
    const key = `${arn} ${group} ${deduplicationId}`;
    const first = known.get(key);
    if (first && now() < first.until) return first.id;
    known.set(key, { id, until: now() + knownFor });
    return id;
  };
};

/** The messages that may be received: of a group with one in flight none. */
export const receivable = <T extends { readonly visibleAt: number; readonly order?: Order }>(held: readonly T[], now: number): T[] => {
  const locked = new Set(held.filter(({ visibleAt }) => visibleAt > now).flatMap(({ order }) => order?.group ?? []));
  return held.filter(({ visibleAt, order }) => visibleAt <= now && !(order && locked.has(order.group)));
};
