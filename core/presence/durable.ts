import { destinationOf } from "../destination/destination.ts";
import type { ConnectionId } from "../ids.ts";
import type { ConsumerSpec } from "./presence.ts";

/** What JMS knows a durable subscription by, in one broker. */
export interface DurableKey {
  readonly clientID: string;
  readonly subscriptionName: string;
}

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

/** Of a client id, and of a subscription's name: together with a destination they fit into a key of the table. */
export const longestId = 100;

/** As the original's names of dead letters have it. */
export const subscriptionNamed = ({ clientID, subscriptionName }: DurableKey): string => `${clientID}:${subscriptionName}`;

/** No two keys share one. */
export const durableId = ({ clientID, subscriptionName }: DurableKey): string => [clientID, subscriptionName].map(escaped).join(".");

/**
 * The JMS name of its queue, which its subscriber computes as we do. It says what is subscribed to, too: SQS keeps a deleted queue's name
 * blocked for a minute, and a subscription that is made anew for something else needn't wait. No connection is called `durable`.
 */
export const durableQueue = ({ durable, destination, selector }: DurableConsumer): string =>
  ["durable", durableId(durable), escaped(destinationOf(destination).name), ...(selector === undefined ? [] : [escaped(selector)])].join(
    ".",
  );

const escaped = (text: string): string => text.replaceAll("~", "~0").replaceAll(".", "~1");

/** Is its subscriber still there? `theirs`: consumers that the connection which took it has now. */
export const hasSubscriber = ({ consumer }: DurableSubscription, theirs: readonly ConsumerSpec[]): boolean =>
  theirs.some((one) => one.id === consumer.id && isDurable(one) && durableId(one.durable) === durableId(consumer.durable));

export type DurableVerdict =
  | { readonly verdict: "take" }
  /** It has a subscriber (spec DUR-15). */
  | { readonly verdict: "refuse"; readonly why: string }
  /** Something else is asked for: what stood is removed first (spec DUR-16). */
  | { readonly verdict: "remake" }
  | { readonly verdict: "wait" };

/** May this consumer have the durable subscription? `theirs`: consumers that the connection which took it has beside this one. */
export const judgeDurable = (
  stored: DurableSubscription | undefined,
  consumer: DurableConsumer,
  theirs: readonly ConsumerSpec[],
): DurableVerdict => {
  if (!stored) return { verdict: "take" };
  if (stored.ending) return { verdict: "wait" };
  const { clientID, subscriptionName } = consumer.durable;
  if (hasSubscriber(stored, theirs)) {
    const named = `durable subscription ${subscriptionName} of client ${clientID}`;
    return { verdict: "refuse", why: `${named} is in use by connection ${stored.takenBy}: close its subscriber first` };
  }
  return durableQueue(stored.consumer) === durableQueue(consumer) ? { verdict: "take" } : { verdict: "remake" };
};
