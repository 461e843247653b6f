import type { QualityOfService } from "../carry/quality-of-service.ts";
import type { Destination } from "../destination/destination.ts";

/** A JMS bridge: moves messages from one source to one target. Keys are the manual's. */
export interface JmsBridge {
  /** Scope of its claims and of the ids that it gives: under another name it is another bridge. */
  readonly name: string;
  readonly qualityOfServiceMode: QualityOfService;
  /** Tell in `AMQ_BRIDGE_MSG_ID_LIST` which ids the message had before. */
  readonly addMessageIDInHeader: boolean;
  /** Milliseconds between two looks whether the target is back. */
  readonly failureRetryInterval: number;
  /** What messages are sent to, as their readers see it. */
  readonly target: Destination;
}
