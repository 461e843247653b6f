import { isFifoName } from "../../../core/destination/fifo.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { Order, RestingCopy } from "../../../core/ports.ts";
import { deduplication, receivable, refuseMisuse } from "./order.ts";

/** A queue message as the memory cloud keeps it; `visibleAt` is in the future while it is delayed or in flight. */
interface Held extends WireMessage {
  readonly id: string;
  readonly sentAt: number;
  readonly group?: string;
  readonly order?: Order;
  visibleAt: number;
  receiveCount: number;
  receipt?: string;
}

export interface SendOptions {
  readonly delaySeconds?: number;
  readonly group?: string;
  /** Of a FIFO queue. */
  readonly order?: Order;
}

export interface Depth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** What SQS keeps at most; then a message is gone, in flight or not. */
const retention = 14 * 24 * 3_600_000;

/** SQS in memory, queues by ARN (one that ends in `.fifo` keeps order). A missing queue answers `undefined`, as every method's caller has its own word for it. */
export interface MemoryQueues {
  create(arn: string): void;
  delete(arn: string): void;
  exists(arn: string): boolean;
  arns(): readonly string[];
  /** Answers the message id; of one that a FIFO queue knows already, the first one's. */
  send(arn: string, wire: WireMessage, options?: SendOptions): string | undefined;
  receive(arn: string, max: number, visibilityMs: number): readonly RestingCopy[] | undefined;
  /** An outdated receipt deletes nothing; nor does an expired one of a FIFO queue. */
  remove(arn: string, receipt: string): void;
  changeVisibility(arn: string, receipt: string, seconds: number): void;
  /** SQS holds a copy that was received twice, under one id: the other is visible. */
  twin(arn: string, receipt: string): void;
  depth(arn: string): Depth | undefined;
  /** Bodies and attributes, oldest first, without receiving. */
  peek(arn: string): readonly WireMessage[];
  /** When a delayed or in-flight message next becomes visible. */
  nextVisibleAt(): number | undefined;
}

export const memoryQueues = (now: () => number, newId: () => string): MemoryQueues => {
  const queues = new Map<string, Held[]>();
  const firstOf = deduplication(now);
  let receipts = 0;
  /** What is in a queue and hasn't aged out. */
  const within = (arn: string): Held[] | undefined => {
    const held = queues.get(arn);
    const oldest = now() - retention;
    if (!held?.some(({ sentAt }) => sentAt <= oldest)) return held;
    const young = held.filter(({ sentAt }) => sentAt > oldest);
    queues.set(arn, young);
    return young;
  };
  const withReceipt = (arn: string, receipt: string) => within(arn)?.find((held) => held.receipt === receipt);

  const receiveOne = (held: Held, visibilityMs: number): RestingCopy => {
    held.receiveCount += 1;
    held.receipt = `${held.id}/${++receipts}`;
    held.visibleAt = now() + visibilityMs;
    const { id, body, attributes, sentAt, receiveCount, receipt, order } = held;
    return { ref: id, id, body, attributes, sentAt, receiveCount, receipt, ...(order && { group: order.group }) };
  };

  return {
    create: (arn) => void (queues.has(arn) || queues.set(arn, [])),
    delete: (arn) => void queues.delete(arn),
    exists: (arn) => queues.has(arn),
    arns: () => [...queues.keys()],

    send: (arn, { body, attributes }, { delaySeconds = 0, ...options } = {}) => {
      refuseMisuse(arn, options.order, delaySeconds);
      if (!queues.has(arn)) return undefined;
      const id = newId();
      const first = options.order ? firstOf(arn, options.order, id) : id;
      if (first !== id) return first;
      const held: Held = { id, body, attributes, sentAt: now(), visibleAt: now() + delaySeconds * 1000, receiveCount: 0, ...options };
      queues.get(arn)?.push(held);
      return id;
    },

    receive: (arn, max, visibilityMs) => {
      const held = within(arn);
      return (
        held &&
        receivable(held, now())
          .slice(0, max)
          .map((one) => receiveOne(one, visibilityMs))
      );
    },

    remove: (arn, receipt) => {
      const gone = withReceipt(arn, receipt);
      const isExpired = gone && isFifoName(arn) && gone.visibleAt <= now();
      if (gone && !isExpired)
        queues.set(
          arn,
          (within(arn) ?? []).filter((held) => held !== gone),
        );
    },

    changeVisibility: (arn, receipt, seconds) => {
      const held = withReceipt(arn, receipt);
      if (held) held.visibleAt = now() + seconds * 1000;
    },

    twin: (arn, receipt) => {
      const held = withReceipt(arn, receipt);
      if (held) queues.get(arn)?.push({ ...held, visibleAt: now(), receipt: "" });
    },

    depth: (arn) => {
      const all = within(arn);
      if (!all) return undefined;
      const hidden = all.filter((held) => held.visibleAt > now());
      const delayed = hidden.filter((held) => held.receiveCount === 0).length;
      return { visible: all.length - hidden.length, inFlight: hidden.length - delayed, delayed };
    },

    peek: (arn) => (within(arn) ?? []).map(({ body, attributes }) => ({ body, attributes })),

    nextVisibleAt: () => {
      const hidden = [...queues.values()].flat().filter((held) => held.visibleAt > now());
      return hidden.length === 0 ? undefined : Math.min(...hidden.map((held) => held.visibleAt));
    },
  };
};
