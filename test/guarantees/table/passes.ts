import type { Outcomes, Path } from "../guarantee.ts";
import * as scenes from "../scenes.ts";
import { askedAgain, claimed, forgetful, fortnight, once, released, twice, twiceForAll } from "./outcomes.ts";

const whileItRests = "as long as it rests";
const noTime = "no time: SQS gives a visible copy to whoever asks";
const leased = once("the lease of the pass ends after twice the function's timeout");
const gone = once("it is gone here");
const stays = once("it stays where it is; the next pass tries again");
const seenAgain = once("the copy is visible again after twice the function's timeout");

/** A pass takes a place's copies itself, and deletes them itself; whatever happens then, the next pass goes on. */
export const passing = {
  "after receive": seenAgain,
  refusal: stays,
  "delete unanswered": gone,
  "after remove": gone,
  "before give-back": seenAgain,
  "after give-back": leased,
  "before report": leased,
} satisfies Outcomes;

const foundDone = once("the next pass finds it done and deletes it");
/** A pass claims by the transport id of the copy that rests. */
export const passes = {
  ...passing,
  ...claimed,
  ...released,
  "after settle": foundDone,
  "before delete": foundDone,
  "delete fails": foundDone,
  "after delete": foundDone,
} satisfies Outcomes;

const droppedThere = once("the next pass repeats it, and the receiver drops it");
/** What waits for a link goes as it is: its receiver knows what it has. */
export const redriven = {
  ...passing,
  "no answer": once("it waits on for that link"),
  "lost answer": droppedThere,
  "after hand-over": droppedThere,
  "before delete": droppedThere,
  "delete fails": droppedThere,
  "after delete": droppedThere,
} satisfies Outcomes;
export const aged = once("the link never had it");

const theirs = once("nothing was sent: the consumer here has it");
const doubled = twice("pass-undeleted", "`once` with one table for both");
/** A consumer takes copies where a pass does: what the pass has sent and not deleted, it has too. */
const besideConsumer = {
  "after receive": theirs,
  "before claim": theirs,
  "after claim": theirs,
  "claim unanswered": theirs,
  refusal: theirs,
  "before release": theirs,
  "after release": theirs,
  unreleased: theirs,
  "no answer": theirs,
  "after hand-over": doubled,
  "before settle": doubled,
  "after settle": doubled,
  unsettled: doubled,
  "before delete": doubled,
  "delete fails": doubled,
  "delete unanswered": gone,
  "after remove": gone,
  "after delete": doubled,
  "before give-back": theirs,
  "after give-back": theirs,
  "before report": gone,
} satisfies Outcomes;
const unsheltered = twice("pass-unsheltered", "`once` with one table for both");

const asItWas = once("both rest, and the receiver of the link drops one");
const path = (name: string, scene: scenes.NetworkScene, exactFor: string, rows: Outcomes): Path => ({
  path: name,
  mode: "audited",
  scene,
  exactFor,
  rows,
});

export const drained: readonly Path[] = [
  path("Drain pass → a link", scenes.passOverLink, whileItRests, { ...passes, ...askedAgain }),
  path("Drain pass → a link, while a consumer comes here", scenes.passBesideConsumer, noTime, {
    ...besideConsumer,
    "no answer": once("it is parked for that link alone, and gone here"),
    "lost answer": once("it is parked for that link alone, whose receiver drops it, and gone here"),
    "shelter refuses": unsheltered,
    "shelter unanswered": unsheltered,
    "after shelter": doubled,
  }),
  path("Drain pass → a private queue", scenes.passToPrivate, whileItRests, { ...passes, ...forgetful }),
  path("Drain pass → a private queue, while another consumer comes here", scenes.passToPrivateBesideConsumer, noTime, {
    ...besideConsumer,
    "lost answer": doubled,
  }),
  path("What rests is sent anew after 7 days, then a consumer here", scenes.renewed, "for ever", {
    ...passes,
    ...forgetful,
    "delete fails": twice("pass-undeleted"),
    "after delete": twice("pass-undeleted"),
  }),
  path("What rests is sent anew after 7 days, then a consumer elsewhere", scenes.renewedForThere, "for ever", {
    ...passes,
    ...forgetful,
    "lost answer": asItWas,
    "after hand-over": asItWas,
    "before settle": asItWas,
    unsettled: asItWas,
    "delete fails": asItWas,
    "after delete": asItWas,
  }),
  path("What a durable subscription has is sent anew after 7 days", scenes.renewedDurable, "for ever", {
    ...redriven,
    "no answer": stays,
    "lost answer": twice("pass-undeleted"),
    "after hand-over": twice("pass-undeleted"),
    "before delete": twice("pass-undeleted"),
    "delete fails": twice("pass-undeleted"),
    "after delete": twice("pass-undeleted"),
  }),
];

const parkedTwice = once("both wait, and the receiver of the link drops one");
export const redrives: readonly Path[] = [
  path(
    "Redrive of undelivered → its link",
    scenes.redrive,
    `${fortnight}, if the link had it already; else as long as it waits: what grows old is sent anew`,
    { ...redriven, away: aged, "long away": aged, "too long away": aged },
  ),
  path("Redrive of undelivered → its link, which had it", scenes.redriveOfArrived, "15 days from its first arrival", {
    ...redriven,
    away: once("the receiver remembers it"),
    "long away": once("the receiver remembers it"),
    "too long away": twiceForAll("claim-forgotten", "nothing: `once` remembers for 15 days too"),
  }),
  path("What waits for a link is sent anew after 7 days", scenes.renewedParked, "for ever", {
    ...redriven,
    "no answer": stays,
    "lost answer": parkedTwice,
    "after hand-over": parkedTwice,
    "before delete": parkedTwice,
    "delete fails": parkedTwice,
    "after delete": parkedTwice,
  }),
];
