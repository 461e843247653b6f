import type { DeclaredConsumer } from "../config/slice.ts";
import { destinationOf } from "../destination/destination.ts";
import { type DurableKey, durableId, durableQueue } from "../destination/durable-queue.ts";
import type { ConnectionId } from "../ids.ts";
import type { ConsumerSpec } from "./presence.ts";

/** A durable subscription: it stands, and gathers messages, whether or not its subscriber is there, until it is unsubscribed. */
export interface DurableSubscription {
  /** What its subscriber asked for last. */
  readonly consumer: DurableConsumer;
  /** Who took it last. Whether that connection still has it, its own record says. */
  readonly takenBy: ConnectionId;
  /** Tells it from an earlier one of the same key (our clock). */
  readonly madeAt: number;
  /** It is being removed. */
  readonly ending?: true;
}

export type DurableConsumer = ConsumerSpec & { readonly durable: DurableKey };

export const isDurable = (consumer: ConsumerSpec): consumer is DurableConsumer => consumer.durable !== undefined;

/** The JMS name of its queue, but for the suffix of one that keeps order. */
export const queueOfDurable = ({ durable, destination, selector, noLocal }: DurableConsumer): string =>
  durableQueue(durable, destinationOf(destination), { selector, noLocal });

/** Is its subscriber still there? `theirs`: consumers that the connection which took it has now. */
export const hasSubscriber = ({ consumer }: DurableSubscription, theirs: readonly ConsumerSpec[]): boolean =>
  theirs.some((one) => one.id === consumer.id && isDurable(one) && durableId(one.durable) === durableId(consumer.durable));

export const isDeclared = ({ durable }: DurableConsumer, consumers: readonly DeclaredConsumer[]): boolean =>
  consumers.some((one) => one.ownQueue !== undefined && one.durable && durableId(one.durable) === durableId(durable));

export type DurableVerdict =
  | { readonly verdict: "take" }
  /** It has a subscriber (spec DUR-15). */
  | { readonly verdict: "refuse"; readonly why: string }
  /** Something else is asked for: what stood is removed first (spec DUR-16). */
  | { readonly verdict: "remake" }
  | { readonly verdict: "wait" };

/**
 * May this consumer have the durable subscription? `theirs`: consumers that the connection which took it has beside this one. What the
 * configuration declares is for whoever polls its queue.
 */
export const judgeDurable = (
  stored: DurableSubscription | undefined,
  consumer: DurableConsumer,
  theirs: readonly ConsumerSpec[],
  declared = false,
): DurableVerdict => {
  const { clientID, subscriptionName } = consumer.durable;
  const named = `durable subscription ${subscriptionName} of client ${clientID}`;
  if (declared) return { verdict: "refuse", why: `${named} is declared in the configuration: poll its queue, or take that line out` };
  if (!stored) return { verdict: "take" };
  if (stored.ending) return { verdict: "wait" };
  if (hasSubscriber(stored, theirs))
    return { verdict: "refuse", why: `${named} is in use by connection ${stored.takenBy}: close its subscriber first` };
  return queueOfDurable(stored.consumer) === queueOfDurable(consumer) ? { verdict: "take" } : { verdict: "remake" };
};
