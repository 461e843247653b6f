import type { Destination } from "../destination/destination.ts";

/** What may happen to a message when something fails on its way: it is lost, or doubled, or neither. */
export const qualitiesOfService = ["AT_MOST_ONCE", "DUPLICATES_OK", "ONCE_AND_ONLY_ONCE"] as const;
export type QualityOfService = (typeof qualitiesOfService)[number];

/** A JMS bridge: moves messages from one source to one target. Keys are the manual's. */
export interface JmsBridge {
  /** Scope of its claims and of the ids that it gives: a bridge of another name is another bridge. */
  readonly name: string;
  readonly qualityOfServiceMode: QualityOfService;
  /** Tell in `AMQ_BRIDGE_MSG_ID_LIST` which ids the message had before. */
  readonly addMessageIDInHeader: boolean;
  /** Milliseconds between two looks whether the target is back. */
  readonly failureRetryInterval: number;
  /** What messages are sent to, as their readers will see it. */
  readonly target: Destination;
}
