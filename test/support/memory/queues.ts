import type { WireMessage } from "../../../core/message/message.ts";
import type { RestingCopy } from "../../../core/ports.ts";

/** A queue message as the memory cloud keeps it; `visibleAt` is in the future while it is delayed or in flight. */
interface Held extends WireMessage {
  readonly id: string;
  readonly sentAt: number;
  readonly group?: string;
  visibleAt: number;
  receiveCount: number;
  receipt?: string;
}

export interface SendOptions {
  readonly delaySeconds?: number;
  readonly group?: string;
}

export interface Depth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** What SQS keeps at most; then a message is gone, in flight or not. */
const retention = 14 * 24 * 3_600_000;

/** SQS in memory, queues by ARN. A missing queue answers `undefined`, as every method's caller has its own word for it. */
export interface MemoryQueues {
  create(arn: string): void;
  delete(arn: string): void;
  exists(arn: string): boolean;
  arns(): readonly string[];
  /** Answers the message id. */
  send(arn: string, wire: WireMessage, options?: SendOptions): string | undefined;
  receive(arn: string, max: number, visibilityMs: number): readonly RestingCopy[] | undefined;
  /** An outdated receipt deletes nothing. */
  remove(arn: string, receipt: string): void;
  changeVisibility(arn: string, receipt: string, seconds: number): void;
  depth(arn: string): Depth | undefined;
  /** Bodies and attributes, oldest first, without receiving. */
  peek(arn: string): readonly WireMessage[];
  /** When a delayed or in-flight message next becomes visible. */
  nextVisibleAt(): number | undefined;
}

export const memoryQueues = (now: () => number, newId: () => string): MemoryQueues => {
  const queues = new Map<string, Held[]>();
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
    held.receipt = `${held.id}/${held.receiveCount}`;
    held.visibleAt = now() + visibilityMs;
    const { id, body, attributes, sentAt, receiveCount, receipt } = held;
    return { ref: id, id, body, attributes, sentAt, receiveCount, receipt };
  };

  return {
    create: (arn) => void (queues.has(arn) || queues.set(arn, [])),
    delete: (arn) => void queues.delete(arn),
    exists: (arn) => queues.has(arn),
    arns: () => [...queues.keys()],

    send: (arn, { body, attributes }, { delaySeconds = 0, ...options } = {}) => {
      const id = newId();
      const held: Held = { id, body, attributes, sentAt: now(), visibleAt: now() + delaySeconds * 1000, receiveCount: 0, ...options };
      if (!queues.get(arn)?.push(held)) return undefined;
      return id;
    },

    receive: (arn, max, visibilityMs) =>
      within(arn)
        ?.filter((held) => held.visibleAt <= now())
        .slice(0, max)
        .map((held) => receiveOne(held, visibilityMs)),

    remove: (arn, receipt) => {
      const gone = withReceipt(arn, receipt);
      if (gone)
        queues.set(
          arn,
          (within(arn) ?? []).filter((held) => held !== gone),
        );
    },

    changeVisibility: (arn, receipt, seconds) => {
      const held = withReceipt(arn, receipt);
      if (held) held.visibleAt = now() + seconds * 1000;
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
