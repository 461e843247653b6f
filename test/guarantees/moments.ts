import type { Trait } from "./traits.ts";

/** Calls of a carrier that a fault may strike. `parts`: a hand-over of several at once. `shelter`: a hand-over to where what a link didn't take waits. `return`: a record given back to its door. */
export type Call =
  | "claim"
  | "takeOver"
  | "handOver"
  | "parts"
  | "handler"
  | "shelter"
  | "progress"
  | "settle"
  | "release"
  | "count"
  | "return"
  | "receive"
  | "remove"
  | "giveBack"
  | "report";

/**
 * `dies before`: the call does nothing. `dies after`: it had its effect. `is lost`: it had, and its answer isn't heard. `fails`: neither.
 * `is refused`: its target proves that it took nothing. Of two parts the first `dies halfway`: had its effect, then its caller dies;
 * `is partly refused`, `is partly lost`: it is accepted, and the other one so.
 */
export interface Strike {
  readonly call: Call;
  readonly how: "dies before" | "dies after" | "dies halfway" | "is lost" | "fails" | "is refused" | "is partly refused" | "is partly lost";
}

interface Told {
  readonly text: string;
  /** On a path without one of these it can't happen. */
  readonly needs: readonly Trait[];
  /** One after the other. */
  readonly strikes?: readonly Strike[];
  /** The first delete of the copy doesn't hold. */
  readonly undeleted?: true;
  readonly handlers?: 2;
  /** The producer sends it twice. */
  readonly sentTwice?: true;
  /** SNS or SQS deliver it twice at the door. */
  readonly deliveredTwice?: true;
  /** So many minutes nobody takes from the door, once it was taken from. */
  readonly shutFor?: number;
  /** So long a copy that comes again, or a link, stays away. */
  readonly days?: number;
}

const one = (call: Call, how: Strike["how"]): Strike => ({ call, how });
const thrown = one("handler", "fails");
const refused = one("handOver", "is refused");

/** What may happen on the way, in the order in which it may. */
export const moments = {
  "producer again": { needs: ["producer"], text: "the producer got no answer, and sends again", sentTwice: true },
  "delivered twice": { needs: ["sender"], text: "AWS delivers two copies", deliveredTwice: true },
  "after receive": { needs: ["pass"], text: "it dies after it received the copy", strikes: [one("receive", "dies after")] },
  "before claim": { needs: ["claim"], text: "it dies before its claim", strikes: [one("claim", "dies before")] },
  "after claim": { needs: ["claim"], text: "it dies after its claim", strikes: [one("claim", "dies after")] },
  "take-over": {
    needs: ["claim", "take-over"],
    text: "it dies after its claim, and the one that takes over dies as well",
    strikes: [one("claim", "dies after"), one("takeOver", "dies after")],
  },
  "claim unanswered": { needs: ["claim"], text: "the claim's answer is lost", strikes: [one("claim", "is lost")] },
  "handler fails": { needs: ["handler"], text: "the handler throws before its effect", strikes: [thrown] },
  "before handler's release": {
    needs: ["handler"],
    text: "the handler throws before its effect, and its process dies before the claim is given back",
    strikes: [thrown, one("release", "dies before")],
  },
  "after handler's release": {
    needs: ["handler"],
    text: "the handler throws before its effect, and its process dies after the claim was given back",
    strikes: [thrown, one("release", "dies after")],
  },
  "handler's unreleased": {
    needs: ["handler"],
    text: "the handler throws before its effect, and the claim isn't given back",
    strikes: [thrown, one("release", "fails")],
  },
  "handler throws": { needs: ["handler"], text: "the handler had its effect, and throws", strikes: [one("handler", "is lost")] },
  refusal: { needs: ["target"], text: "the target refuses", strikes: [refused] },
  "before release": {
    needs: ["target", "release"],
    text: "the target refuses, and it dies before it gives its claim back",
    strikes: [refused, one("release", "dies before")],
  },
  "after release": {
    needs: ["target", "release"],
    text: "the target refuses, and it dies after it gave its claim back",
    strikes: [refused, one("release", "dies after")],
  },
  unreleased: {
    needs: ["target", "release"],
    text: "the target refuses, and the claim isn't given back",
    strikes: [refused, one("release", "fails")],
  },
  "return unheard": {
    needs: ["target", "return"],
    text: "the target refuses, and the copy isn't given back to its door",
    strikes: [refused, one("return", "fails")],
  },
  "no answer": { needs: ["answer"], text: "the target hangs, and has nothing", strikes: [one("handOver", "fails")] },
  "lost answer": { needs: ["answer"], text: "the target accepts, and its answer is lost", strikes: [one("handOver", "is lost")] },
  "shelter refuses": {
    needs: ["shelter"],
    text: "the link accepts and its answer is lost, and its shelter refuses",
    strikes: [one("handOver", "is lost"), one("shelter", "is refused")],
  },
  "shelter unanswered": {
    needs: ["shelter"],
    text: "the link hangs, and has nothing; its shelter accepts, and its answer is lost",
    strikes: [one("handOver", "fails"), one("shelter", "is lost")],
  },
  "after shelter": {
    needs: ["shelter"],
    text: "the link accepts and its answer is lost; it dies after the shelter accepted",
    strikes: [one("handOver", "is lost"), one("shelter", "dies after")],
  },
  "after hand-over": { needs: ["answer"], text: "it dies after the target accepted", strikes: [one("handOver", "dies after")] },
  "long after hand-over": {
    needs: ["answer", "order"],
    text: "it dies after the target accepted, and the next one runs six minutes later",
    strikes: [one("handOver", "dies after")],
    shutFor: 6,
  },
  partly: { needs: ["parts"], text: "the first of two parts is accepted, then it dies", strikes: [one("parts", "dies halfway")] },
  "partly refused": {
    needs: ["parts"],
    text: "the first of two parts is accepted, the other one refused",
    strikes: [one("parts", "is partly refused")],
  },
  "partly unanswered": {
    needs: ["parts"],
    text: "both parts are accepted, and one answer is lost",
    strikes: [one("parts", "is partly lost")],
  },
  "before progress": {
    needs: ["progress"],
    text: "one of two parts is refused, and it dies before it notes which",
    strikes: [one("parts", "is partly refused"), one("progress", "dies before")],
  },
  "after progress": {
    needs: ["progress"],
    text: "one of two parts is refused, and it dies after it noted which",
    strikes: [one("parts", "is partly refused"), one("progress", "dies after")],
  },
  unnoted: {
    needs: ["progress"],
    text: "one of two parts is refused, and it can't be noted which",
    strikes: [one("parts", "is partly refused"), one("progress", "fails")],
  },
  "before counter": {
    needs: ["counter"],
    text: "it dies before the resting message is counted",
    strikes: [one("count", "dies before")],
  },
  "after counter": { needs: ["counter"], text: "it dies after the resting message was counted", strikes: [one("count", "dies after")] },
  "before settle": {
    needs: ["claim"],
    text: "the target has it, and it dies before settle",
    strikes: [one("settle", "dies before")],
  },
  "after settle": { needs: ["claim"], text: "it dies after settle, before the delete", strikes: [one("settle", "dies after")] },
  unsettled: {
    needs: ["claim"],
    text: "settle fails for good, and the copy comes again",
    strikes: [one("settle", "fails")],
    undeleted: true,
  },
  "before delete": { needs: ["remove"], text: "it dies before it deletes the copy", strikes: [one("remove", "dies before")] },
  "delete fails": { needs: ["remove"], text: "its delete isn't confirmed, and did nothing", strikes: [one("remove", "fails")] },
  "delete unanswered": { needs: ["remove"], text: "its delete isn't confirmed, and held", strikes: [one("remove", "is lost")] },
  "after remove": { needs: ["remove"], text: "it dies after it deleted the copy", strikes: [one("remove", "dies after")] },
  "after delete": { needs: ["copy"], text: "the copy comes again after its delete", undeleted: true },
  "long after delete": { needs: ["door"], text: "the copy comes again 13 days after its delete", undeleted: true, days: 13 },
  "two handlers": { needs: ["door"], text: "two handlers have the copy at once", handlers: 2 },
  "before give-back": {
    needs: ["pass"],
    text: "the target refuses, and it dies before it gives the copy back",
    strikes: [refused, one("giveBack", "dies before")],
  },
  "after give-back": {
    needs: ["pass"],
    text: "the target refuses, and it dies after it gave the copy back",
    strikes: [refused, one("giveBack", "dies after")],
  },
  "before report": { needs: ["report"], text: "it dies before it reports", strikes: [one("report", "dies before")] },
  away: { needs: ["outage"], text: "the peer is away for 13 days", days: 13 },
  "long away": { needs: ["outage"], text: "the peer is away for 14 days", days: 14 },
  "too long away": { needs: ["outage"], text: "the peer is away for 16 days", days: 16 },
} as const satisfies Readonly<Record<string, Told>>;
export type Moment = keyof typeof moments;

export const told = (moment: Moment): Told => moments[moment];
/** Nothing befalls it. */
export const calmly: Told = { text: "nothing", needs: [] };
export const allMoments = Object.keys(moments) as Moment[];
