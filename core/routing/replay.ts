import type { Message } from "../message/message.ts";
import type { PolicyValues } from "../policy/policy.ts";
import type { DestinationView } from "./view.ts";

/** From when on (clock) a message may go back to a broker on its path. */
export interface Replay {
  readonly from: number;
  readonly now: number;
}
export const noReplay: Replay = { from: Number.POSITIVE_INFINITY, now: 0 };

/**
 * Only a queue message, only while nobody consumes the queue here, and only when it has been here for `replayDelay` (spec REP-1 to REP-3).
 * With `selectorAware` the view is that of whoever wants the message, else that of everybody. `hereSince`: when it came to rest here.
 */
export const replayOf = (
  { replayWhenNoConsumers, replayDelay }: Pick<PolicyValues, "replayWhenNoConsumers" | "replayDelay">,
  { destination }: Pick<Message, "destination">,
  { candidates }: Pick<DestinationView, "candidates">,
  hereSince: number,
  now: number,
): Replay => {
  const isBlocked = candidates.some(({ to }) => to !== "link");
  if (!replayWhenNoConsumers || destination.kind !== "queue" || isBlocked) return noReplay;
  return { from: hereSince + replayDelay, now };
};
