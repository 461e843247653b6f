import type { Outcome, Outcomes } from "../guarantee.ts";
import type { WindowName } from "../windows.ts";

/** SQS keeps no copy for longer, and a claim is remembered for 15. */
export const fortnight = "14 days";

export const once = (closedBy: string): Outcome => ({ delivered: 1, closedBy });
export const lost = (closedBy: string): Outcome => ({ delivered: 0, closedBy });
/** But for a handler that `once` guards. */
export const twice = (window: WindowName, closedBy = "`once`"): Outcome => ({ delivered: 2, behindOnce: 1, window, closedBy });
/** For a handler that `once` guards, too. */
export const twiceForAll = (window: WindowName, closedBy: string): Outcome => ({ ...twice(window, closedBy), behindOnce: 2 });

/** Until a target is asked, it makes no difference which one it is. */
export const claimed = {
  "before claim": once("nothing was taken on; the copy comes again when its visibility ends"),
  "after claim": once("the claim ages, and whoever gets the copy next takes it over, with its plan"),
  "take-over": once("the next one takes it over likewise; of two that try one is granted"),
  "claim unanswered": once("the copy comes again, finds the claim and takes it over when it is old"),
} satisfies Outcomes;

/** A refusal proves that the target has nothing: the copy is free to go anew, at once or when its claim is old. */
export const released = {
  "before release": once("the claim ages, and the copy is handed over again"),
  "after release": once("the copy comes again when its visibility ends, and is claimed anew"),
  unreleased: once("the claim ages, and the copy is handed over again"),
} satisfies Outcomes;

/** What is settled is never carried again. */
const settled = {
  "after settle": once("the copy comes again and is dropped: its claim is done"),
  "after delete": once("the copy is dropped: its claim is done"),
  "long after delete": once("the copy is dropped: its claim is done"),
  "two handlers": once("one claims; the other gives its copy back, which is dropped later"),
} satisfies Outcomes;

/** A queue or topic of this broker can't be asked what it has. */
export const forgetful = {
  "no answer": once("the copy comes again when its visibility ends, and its claim is taken over"),
  "lost answer": twice("accepted-unsettled"),
  "after hand-over": twice("accepted-unsettled"),
  "before settle": twice("accepted-unsettled"),
  unsettled: twice("settle-failed", "`once`; the outcome counts `unsettled`"),
} satisfies Outcomes;

const inTime = once("the copy comes again within five minutes, with the same deduplication id");
/** SQS and SNS drop what has a deduplication id again that they took within five minutes; ours is the claim's and the target's. */
export const deduplicated = {
  ...forgetful,
  "lost answer": inTime,
  "after hand-over": inTime,
  "long after hand-over": twice("accepted-unsettled"),
  "before settle": inTime,
  unsettled: inTime,
} satisfies Outcomes;

const alongItsPlan = once("the copy comes again along its stored plan; the receiver drops it");
const driven = "it is parked for that link alone, and driven there when a probe crosses";
/** What a link doesn't answer waits in its shelter. */
const sheltered = {
  "no answer": once(driven),
  "lost answer": once(`${driven}; the receiver drops it`),
  "shelter refuses": alongItsPlan,
  "shelter unanswered": once("it may be parked twice; the receiver drops one"),
  "after shelter": once("it is parked and handed over again; the receiver keeps one"),
} satisfies Outcomes;
/** A link's receiver has an audit of its own: a second copy has the same id and the same path. */
export const askedAgain = {
  ...sheltered,
  "after hand-over": alongItsPlan,
  "before settle": alongItsPlan,
  unsettled: alongItsPlan,
} satisfies Outcomes;
export const longAfter = { "long after hand-over": alongItsPlan } satisfies Outcomes;

/** Without the claims, which a JMS bridge and a network have alike. */
export const returned = {
  refusal: once("proven: the claim is given back, and the copy comes again"),
  "return unheard": once("it comes when its visibility ends"),
} satisfies Outcomes;
/** An event source hands out its copies. */
export const arrivals = { ...claimed, ...released, ...settled } satisfies Outcomes;

/** It comes from another broker, or from SNS. */
export const sentTwice = { "delivered twice": once("the two have one key: the second is dropped") } satisfies Outcomes;
