import { randomUUID } from "node:crypto";
import type { Audit } from "../core/carry/audit.ts";
import { type Carried, type Carrier, carry, type Load, type Refusal } from "../core/carry/carry.ts";
import { onceKey } from "../core/carry/scope.ts";
import { SpanMqError } from "./options.ts";

/** Where it is remembered what ran: `dynamoStore` for all who share a table, `memoryStore` for one process. */
export type OnceStore = Audit<null>;

export interface OnceOptions {
  readonly store: OnceStore;
  /**
   * Milliseconds that the handler may run, a Lambda function's timeout for example. Until they are over, and 5 seconds more, nobody else
   * runs a message whose handler died; a handler that takes longer may run beside another.
   */
  readonly handlerTimeout: number;
  /**
   * Within one scope a message id is handled once. Subscribers of a topic need a name each, since each gets every message.
   * @default the message's queue
   */
  readonly scope?: string;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

/** What `once` needs to know of a message; `ReceivedMessage` has it. */
export interface Identified {
  readonly id: string;
  /** `queue://orders.new`, or a queue's ARN. */
  readonly destination?: string;
}

export type Once<T> =
  /** `settled`: false where the store couldn't be told, or the handler took longer than it may: another copy of the message may run. */
  | { readonly ran: true; readonly value: T; readonly settled: boolean }
  | { readonly skipped: "duplicate" }
  /** Another handler is at it, or died at it: let the message come again in so many milliseconds. */
  | { readonly later: number };

/**
 * Lets a handler run once for each message id, however often the message is delivered. What the handler throws is thrown on.
 * Crash windows: a handler that throws has its message free at once, since nobody else can know how far it came; where one died, or its
 * end couldn't be told to the store, another runs after `handlerTimeout`. docs/once.md tabulates what remains.
 *
 * @example
 * const book = once(async ({ text }: ReceivedMessage) => ledger.add(text), { store: dynamoStore({ table: "once" }), handlerTimeout: 30_000 });
 * await connection.consume("queue://orders.new", book);
 */
export const once = <M extends Identified, T>(
  handler: (message: M) => Promise<T> | T,
  { store, handlerTimeout, scope, now = Date.now }: OnceOptions,
): ((message: M) => Promise<Once<T>>) => {
  if (!(handlerTimeout > 0)) throw new SpanMqError(`handlerTimeout ${handlerTimeout}: give the milliseconds that the handler may run`);
  const run = async (message: M): Promise<T> => handler(message);

  return async (message) => {
    const runs: PromiseSettledResult<T>[] = [];
    const carrier: Carrier<null, Load<null>> = {
      audit: store,
      attempt: randomUUID(),
      longest: handlerTimeout,
      handOver: async () => {
        runs.push(...(await Promise.allSettled([run(message)])));
        return runs.map(({ status }) => (status === "fulfilled" ? { answer: "accepted" } : threw));
      },
      withPlan: (load) => load,
      chooseAnew: () => undefined,
      park: () => undefined,
      accepted: async () => {},
    };
    const load = { key: onceKey(scope ?? scopeOf(message), message.id), owner: message.id, plan: null };
    const began = now();
    const [carried] = await carry(carrier, [load], began);
    const [result] = runs;
    if (result?.status === "rejected") throw result.reason;
    if (carried?.end === "carried" && result)
      return { ran: true, value: result.value, settled: carried.settled && now() - began <= handlerTimeout };
    if (carried?.end === "duplicate") return { skipped: "duplicate" };
    if (carried?.end === "in-progress") return { later: carried.ms };
    throw new SpanMqError(`message ${message.id} wasn't handled, it comes again: ${whyOf(carried)}`);
  };
};

/** A claim is released on it: whoever handles the message next is no later than he would be by the claim's age. */
const threw: Refusal = { answer: "refused", cause: "other", why: "the handler threw" };

const scopeOf = ({ id, destination }: Identified): string => {
  if (destination !== undefined && /^(queue:|arn:[^:]+:sqs:)/.test(destination)) return destination;
  const whose = destination === undefined ? "tells no destination" : `is of ${destination}, whose subscribers get every message each`;
  throw new SpanMqError(`message ${id} ${whose}: give once a scope, a name for this handler among them ("billing")`);
};

const whyOf = (carried: Carried<null, Load<null>> | undefined): string =>
  carried?.end === "again" && "why" in carried.answer ? carried.answer.why : "the store doesn't answer";
