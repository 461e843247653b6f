/** Calls of a carrier that a fault may strike. */
export type Call = "claim" | "takeOver" | "handOver" | "settle" | "count" | "receive" | "remove" | "report";

/** `dies before`: the call does nothing. `dies after`: it had its effect. `dies halfway`: its first part had. `is lost`: it had, and its answer isn't heard. `fails`: neither. `is refused`: its target proves that it took nothing. */
export interface Strike {
  readonly call: Call;
  readonly how: "dies before" | "dies after" | "dies halfway" | "is lost" | "fails" | "is refused";
}

interface Told {
  readonly text: string;
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

const dies = (call: Call, how: "dies before" | "dies after") => [{ call, how }] as const;

/** What may happen on the way, in the order in which it may. */
export const moments = {
  "producer again": { text: "the producer got no answer, and sends again", sentTwice: true },
  "delivered twice": { text: "AWS delivers two copies", deliveredTwice: true },
  "before claim": { text: "the handler dies before its claim", strikes: dies("claim", "dies before") },
  "after claim": { text: "it dies after its claim", strikes: dies("claim", "dies after") },
  "claim unanswered": { text: "the claim's answer is lost", strikes: [{ call: "claim", how: "is lost" }] },
  "no answer": { text: "the target hangs, and has nothing", strikes: [{ call: "handOver", how: "fails" }] },
  refusal: { text: "the target refuses", strikes: [{ call: "handOver", how: "is refused" }] },
  "lost answer": { text: "the target accepts, and its answer is lost", strikes: [{ call: "handOver", how: "is lost" }] },
  unsheltered: {
    text: "the link accepts and its answer is lost, and its shelter refuses",
    strikes: [
      { call: "handOver", how: "is lost" },
      { call: "handOver", how: "is refused" },
    ],
  },
  "shelter unanswered": {
    text: "the link hangs, and has nothing; its shelter accepts, and its answer is lost",
    strikes: [
      { call: "handOver", how: "fails" },
      { call: "handOver", how: "is lost" },
    ],
  },
  "after hand-over": { text: "the handler dies after the target accepted", strikes: dies("handOver", "dies after") },
  "long after hand-over": {
    text: "the handler dies after the target accepted, and the next one runs six minutes later",
    strikes: dies("handOver", "dies after"),
    shutFor: 6,
  },
  "before counter": { text: "it dies before the resting message is counted", strikes: dies("count", "dies before") },
  "after settle": { text: "it dies after settle, before the delete", strikes: dies("settle", "dies after") },
  unsettled: { text: "settle fails for good, and the copy comes again", strikes: [{ call: "settle", how: "fails" }], undeleted: true },
  "after delete": { text: "the copy comes again after its delete", undeleted: true },
  "long after delete": { text: "the copy comes again 13 days after its delete", undeleted: true, days: 13 },
  "long away": { text: "the peer is away for 14 days", days: 14 },
  "too long away": { text: "the peer is away for 16 days", days: 16 },
  "two handlers": { text: "two handlers have the copy at once", handlers: 2 },
  "take-over": {
    text: "the handler dies after its claim, and the one that takes over dies as well",
    strikes: [...dies("claim", "dies after"), ...dies("takeOver", "dies after")],
  },
  "before settle": {
    text: "the handler had its effect, and its process dies before the store knows",
    strikes: dies("settle", "dies before"),
  },
  "handler throws": { text: "the handler had its effect, and throws", strikes: dies("handOver", "dies after") },
  partly: { text: "the first of two parts is accepted, then the handler dies", strikes: [{ call: "handOver", how: "dies halfway" }] },
  "after receive": { text: "the pass dies after it received the copy", strikes: dies("receive", "dies after") },
  "after remove": { text: "the pass dies after it deleted the copy", strikes: dies("remove", "dies after") },
  "before report": { text: "the pass dies before it reports", strikes: dies("report", "dies before") },
} as const satisfies Readonly<Record<string, Told>>;
export type Moment = keyof typeof moments;

export const told = (moment: Moment): Told => moments[moment];
