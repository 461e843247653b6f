import type { Destination } from "./destination.ts";
import { isFifo, laneOf } from "./fifo.ts";
import { isPattern } from "./filter.ts";

/** What JMS knows a durable subscription by, in one broker. */
export interface DurableKey {
  readonly clientID: string;
  readonly subscriptionName: string;
}

/** Of a client id, and of a subscription's name: together with a destination they fit into a key of the table. */
export const longestId = 100;

/** As the original's names of dead letters have it. */
export const subscriptionNamed = ({ clientID, subscriptionName }: DurableKey): string => `${clientID}:${subscriptionName}`;

/** No two keys share one. */
export const durableId = ({ clientID, subscriptionName }: DurableKey): string => [clientID, subscriptionName].map(escaped).join(".");

/**
 * The JMS name of a durable subscription's queue, which whoever reads it computes as we do. It says what is subscribed to, too: SQS keeps a
 * deleted queue's name blocked for a minute, and a subscription that is made anew for something else needn't wait. No connection is called
 * `durable`.
 */
export const durableQueue = (key: DurableKey, { name }: Destination, { selector, noLocal = false }: Choice): string => {
  const choice = selector === undefined && !noLocal ? [] : [escaped(selector ?? ""), ...(noLocal ? ["noLocal"] : [])];
  return ["durable", durableId(key), escaped(name), ...choice].join(".");
};

/** Of the subscription that such a queue is of. */
export const durableIdIn = (queue: string): string => queue.split(".").slice(1, 3).join(".");

interface Choice {
  readonly selector?: string | undefined;
  readonly noLocal?: boolean | undefined;
}

/** Of a FIFO topic it keeps order; of a pattern it can't, since it may get what no order is kept of. */
export const queueFor = (name: string, part: Destination): string => laneOf(name, isFifo(part) && !isPattern(part));

const escaped = (text: string): string => text.replaceAll("~", "~0").replaceAll(".", "~1");
