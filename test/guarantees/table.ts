import type { Path, Row } from "./guarantee.ts";
import * as scenes from "./scenes.ts";

/** SQS keeps no copy for longer, and a claim is remembered for 15. */
const fortnight = "14 days";
const again = "the copy comes again when its visibility ends, and its claim, if any, is taken over";

/** Until a target is asked, it makes no difference which one it is. */
const beforeHandOver: readonly Row[] = [
  { when: "before claim", delivered: 1, closedBy: "nothing was taken on; the copy comes again when its visibility ends" },
  { when: "after claim", delivered: 1, closedBy: "the claim ages, and whoever gets the copy next takes it over, with its plan" },
  { when: "take-over", delivered: 1, closedBy: "so does the next; of two that try one is granted" },
  { when: "claim unanswered", delivered: 1, closedBy: "the batch comes again, finds the claim and takes it over when it is old" },
];
/** What is settled is never carried again. */
const afterSettle: readonly Row[] = [
  { when: "after settle", delivered: 1, closedBy: "the copy comes again and is dropped: its claim is done" },
  { when: "after delete", delivered: 1, closedBy: "the same" },
  { when: "long after delete", delivered: 1, closedBy: "the same" },
  { when: "two handlers", delivered: 1, closedBy: "one claims; the other gives its copy back, which is dropped later" },
];

/** A queue or topic of this broker can't be asked what it has. */
const unaudited: readonly Row[] = [
  { when: "refusal", delivered: 1, closedBy: "proven: the claim is released and the copy comes again" },
  { when: "no answer", delivered: 1, closedBy: again },
  { when: "lost answer", delivered: 2, behindOnce: 1, window: "accepted-unsettled", closedBy: "`once`" },
  { when: "after hand-over", delivered: 2, behindOnce: 1, window: "accepted-unsettled", closedBy: "`once`" },
  { when: "unsettled", delivered: 2, behindOnce: 1, window: "settle-failed", closedBy: "`once`; the outcome counts `unsettled`" },
];
/** SQS and SNS drop what has a deduplication id again that they took within five minutes; ours is the claim's and the target's. */
const deduplicated: readonly Row[] = [
  ...unaudited.map(({ when, closedBy }) => ({
    when,
    delivered: 1,
    closedBy:
      when === "refusal" || when === "no answer" ? closedBy : "the copy comes again within five minutes, with the same deduplication id",
  })),
  { when: "long after hand-over", delivered: 2, behindOnce: 1, window: "accepted-unsettled", closedBy: "`once`" },
];
/** A link's receiver has an audit of its own: a second copy has the same id and the same path. */
const askedAgain: readonly Row[] = [
  { when: "refusal", delivered: 1, closedBy: "proven: it rests here, and a pass tries again" },
  { when: "no answer", delivered: 1, closedBy: "it is parked for that link alone, and driven there when a probe crosses" },
  { when: "lost answer", delivered: 1, closedBy: "the same; the receiver drops the second copy" },
  { when: "after hand-over", delivered: 1, closedBy: "the copy comes again along its stored plan; the receiver drops it" },
  { when: "unsettled", delivered: 1, closedBy: "the same" },
];
const arrivals = (atTarget: readonly Row[]): readonly Row[] => [...beforeHandOver, ...atTarget, ...afterSettle];

/** A pass claims by the transport id of the copy that rests. */
const passes = (atTarget: readonly Row[]): readonly Row[] => [
  { when: "after receive", delivered: 1, closedBy: "the copy is visible again after twice the function's timeout" },
  ...beforeHandOver,
  ...atTarget.filter(({ when }) => when !== "refusal" && when !== "unsettled"),
  { when: "refusal", delivered: 1, closedBy: "it stays where it rests; the next pass tries again" },
  { when: "after settle", delivered: 1, closedBy: "the next pass finds it done and deletes it" },
  { when: "after remove", delivered: 1, closedBy: "it is gone here; the lease of the pass ends after twice the function's timeout" },
  { when: "before report", delivered: 1, closedBy: "the same" },
];

/** A consumer that takes copies where a pass does. */
const besideConsumer: readonly Row[] = [
  { when: "after receive", delivered: 1, closedBy: "nothing was sent: the consumer here has it" },
  {
    when: "after hand-over",
    delivered: 2,
    behindOnce: 1,
    window: "pass-undeleted",
    closedBy: "`once` with one table for both",
  },
  { when: "after settle", delivered: 2, behindOnce: 1, window: "pass-undeleted", closedBy: "the same" },
  { when: "unsheltered", delivered: 2, behindOnce: 1, window: "pass-unsheltered", closedBy: "the same" },
  { when: "shelter unanswered", delivered: 2, behindOnce: 1, window: "pass-unsheltered", closedBy: "the same" },
  { when: "after remove", delivered: 1, closedBy: "it is gone here" },
];

const noAudit = (when: Row["when"]): Row => ({ when, delivered: 2, behindOnce: 1, window: "not-audited", closedBy: "`once`" });
const doubling = (["lost answer", "after hand-over", "after delete", "two handlers"] as const).map(noAudit);
const never = (when: Row["when"], delivered: number, closedBy: string): Row => ({ when, delivered, closedBy });

const network: readonly Path[] = [
  {
    path: "Producer → ingress",
    mode: "any",
    scene: scenes.queueHere,
    exactFor: "no time",
    rows: [
      {
        when: "producer again",
        delivered: 2,
        behindOnce: 2,
        window: "producer-sent-again",
        closedBy: "an id of the producer's own in the body",
      },
    ],
  },
  {
    path: "Producer → topic",
    mode: "any",
    scene: scenes.topicAcross,
    exactFor: "no time",
    rows: [
      {
        when: "producer again",
        delivered: 2,
        behindOnce: 2,
        window: "producer-sent-again",
        closedBy: "an id of the producer's own in the body",
      },
    ],
  },
  {
    path: "A queue → its consumer",
    mode: "any",
    scene: scenes.consumed,
    exactFor: "no time",
    rows: [{ when: "after delete", delivered: 2, behindOnce: 1, window: "delivered-again", closedBy: "`once`" }],
  },
  { path: "Dispatch → a queue here", mode: "audited", scene: scenes.queueHere, exactFor: fortnight, rows: arrivals(unaudited) },
  { path: "Dispatch → a private queue", mode: "audited", scene: scenes.privateQueue, exactFor: fortnight, rows: arrivals(unaudited) },
  { path: "Dispatch → a topic here", mode: "audited", scene: scenes.topicHere, exactFor: fortnight, rows: arrivals(unaudited) },
  {
    path: "Dispatch → a link",
    mode: "audited",
    scene: scenes.overLink,
    exactFor: fortnight,
    rows: arrivals(askedAgain),
  },
  {
    path: "A link → dispatch → a queue there",
    mode: "audited",
    scene: scenes.fromLink,
    exactFor: fortnight,
    rows: [{ when: "delivered twice", delivered: 1, closedBy: "the two have one key: the second is dropped" }, ...arrivals(unaudited)],
  },
  {
    path: "Dispatch → rest, then a consumer here",
    mode: "audited",
    scene: scenes.restsForHere,
    exactFor: "14 days; at rest for ever: what grows old is sent anew",
    rows: [
      ...arrivals(unaudited),
      {
        when: "before counter",
        delivered: 2,
        behindOnce: 1,
        window: "accepted-unsettled",
        closedBy: "`once`; it is counted when it comes again",
      },
    ],
  },
  {
    path: "Dispatch → rest, then a consumer elsewhere",
    mode: "audited",
    scene: scenes.restsForThere,
    exactFor: "14 days; at rest for ever: what grows old is sent anew",
    rows: [
      ...arrivals([
        { when: "refusal", delivered: 1, closedBy: "proven: the claim is released and the copy comes again" },
        { when: "no answer", delivered: 1, closedBy: again },
        { when: "lost answer", delivered: 1, closedBy: "it rests twice; the receiver of the link drops one" },
        { when: "after hand-over", delivered: 1, closedBy: "the same" },
        { when: "unsettled", delivered: 1, closedBy: "the same" },
      ]),
      { when: "before counter", delivered: 1, closedBy: "the same; it is counted when it comes again" },
    ],
  },
  {
    path: "Dispatch → parked for a link that didn't answer",
    mode: "audited",
    scene: scenes.parked,
    exactFor: fortnight,
    rows: [
      ...beforeHandOver,
      { when: "no answer", delivered: 1, closedBy: "the copy comes again along its stored plan" },
      { when: "lost answer", delivered: 1, closedBy: "it is parked twice; the receiver drops one" },
      { when: "after hand-over", delivered: 1, closedBy: "the same" },
      { when: "unsettled", delivered: 1, closedBy: "the same" },
      ...afterSettle,
    ],
  },
  {
    path: "Dispatch → dead letters",
    mode: "audited",
    scene: scenes.buried,
    exactFor: fortnight,
    rows: arrivals(unaudited).map((row) => (row.delivered > 1 ? { ...row, closedBy: "the message id in their attribute `SpanMQ`" } : row)),
  },
  {
    path: "Dispatch → the parts of a composite here",
    mode: "audited",
    scene: scenes.composite,
    exactFor: fortnight,
    rows: [
      ...arrivals(unaudited),
      {
        when: "partly",
        delivered: 2,
        behindOnce: 1,
        window: "accepted-unsettled",
        closedBy: "`once`; each part is claimed for itself, so the other one comes once",
      },
    ],
  },
  {
    path: "Topic → SNS → a link's inbound → topic there, published for a native subscriber",
    mode: "audited",
    scene: scenes.topicAcross,
    exactFor: fortnight,
    rows: [
      { when: "delivered twice", delivered: 1, closedBy: "the envelope's MessageId is the key: the second is dropped" },
      ...arrivals(unaudited),
    ],
  },
  {
    path: "Topic → SNS → a link's inbound → a client's queue there, directly",
    mode: "audited",
    scene: scenes.topicDirect,
    exactFor: fortnight,
    rows: [
      { when: "delivered twice", delivered: 1, closedBy: "the envelope's MessageId is the key: the second is dropped" },
      ...arrivals(unaudited),
    ],
  },
  { path: "Dispatch → a FIFO queue here", mode: "audited", scene: scenes.fifoHere, exactFor: "5 minutes", rows: arrivals(deduplicated) },
  { path: "Dispatch → a link, FIFO", mode: "audited", scene: scenes.fifoOverLink, exactFor: fortnight, rows: arrivals(askedAgain) },
  {
    path: "A link → dispatch → a FIFO queue there",
    mode: "audited",
    scene: scenes.fifoFromLink,
    exactFor: "5 minutes",
    rows: arrivals(deduplicated),
  },
  {
    path: "FIFO topic → feed → a link → FIFO topic there",
    mode: "audited",
    scene: scenes.fifoTopicAcross,
    exactFor: "5 minutes",
    rows: arrivals(deduplicated),
  },
  { path: "Drain pass → a link", mode: "audited", scene: scenes.passOverLink, exactFor: "as long as it rests", rows: passes(askedAgain) },
  {
    path: "Drain pass → a link, while a consumer comes here",
    mode: "audited",
    scene: scenes.passBesideConsumer,
    exactFor: "no time: SQS gives a visible copy to whoever asks",
    rows: besideConsumer,
  },
  {
    path: "Drain pass → a private queue",
    mode: "audited",
    scene: scenes.passToPrivate,
    exactFor: "as long as it rests",
    rows: passes(unaudited),
  },
  {
    path: "Drain pass → a private queue, FIFO",
    mode: "audited",
    scene: scenes.fifoPassToPrivate,
    exactFor: "5 minutes",
    rows: passes(deduplicated),
  },
  {
    path: "Drain pass → a private queue, while another consumer comes here",
    mode: "audited",
    scene: scenes.passToPrivateBesideConsumer,
    exactFor: "no time: SQS gives a visible copy to whoever asks",
    rows: besideConsumer.filter(({ when }) => when !== "unsheltered" && when !== "shelter unanswered"),
  },
  {
    path: "Redrive of undelivered → its link",
    mode: "audited",
    scene: scenes.redrive,
    exactFor: "14 days, if the link had it already; else as long as it waits: what grows old is sent anew",
    rows: [
      { when: "after receive", delivered: 1, closedBy: "the copy is visible again after twice the function's timeout" },
      { when: "refusal", delivered: 1, closedBy: "it waits on for that link" },
      { when: "no answer", delivered: 1, closedBy: "the same" },
      { when: "lost answer", delivered: 1, closedBy: "the same; the receiver drops the second copy" },
      { when: "after hand-over", delivered: 1, closedBy: "the next pass repeats it, and the receiver drops it" },
      { when: "after remove", delivered: 1, closedBy: "it is gone here" },
      { when: "before report", delivered: 1, closedBy: "the lease of the pass ends after twice the function's timeout" },
      { when: "too long away", delivered: 1, closedBy: "the link never had it" },
    ],
  },
  {
    path: "Redrive of undelivered → its link, which had it",
    mode: "audited",
    scene: scenes.redriveOfArrived,
    exactFor: "15 days from its first arrival",
    rows: [
      { when: "after hand-over", delivered: 1, closedBy: "the receiver drops both" },
      { when: "long away", delivered: 1, closedBy: "the receiver remembers it" },
      {
        when: "too long away",
        delivered: 2,
        behindOnce: 2,
        window: "claim-forgotten",
        closedBy: "nothing: `once` remembers for 15 days too",
      },
    ],
  },
  {
    path: "Dispatch → a queue here",
    mode: "`enableAudit: false`",
    scene: scenes.unauditedHere,
    exactFor: "no time",
    rows: [{ when: "no answer", delivered: 1, closedBy: "the copy comes again" }, ...doubling],
  },
  {
    path: "Dispatch → a FIFO queue here",
    mode: "`enableAudit: false`",
    scene: scenes.unauditedFifo,
    exactFor: "5 minutes, while no other way opens",
    rows: [
      { when: "no answer", delivered: 1, closedBy: "the copy comes again" },
      { when: "lost answer", delivered: 1, closedBy: "the copy comes again within five minutes, with the same deduplication id" },
      { when: "after hand-over", delivered: 1, closedBy: "the same" },
      noAudit("long after hand-over"),
    ],
  },
  {
    path: "Dispatch → a FIFO queue here, while consumers change",
    mode: "`enableAudit: false`",
    scene: scenes.unauditedFifoMoving,
    exactFor: "no time: the copy goes another way",
    rows: [noAudit("after hand-over")],
  },
  {
    path: "Dispatch → a link",
    mode: "`enableAudit: false` on both brokers",
    scene: scenes.unauditedLink,
    exactFor: "no time",
    rows: [{ when: "no answer", delivered: 1, closedBy: "it is parked, and driven there when a probe crosses" }, ...doubling],
  },
  {
    path: "Dispatch → a link, FIFO",
    mode: "`enableAudit: false` on both brokers",
    scene: scenes.unauditedFifoLink,
    exactFor: "5 minutes, while no other way opens",
    rows: [
      { when: "no answer", delivered: 1, closedBy: "it is parked, and driven there when a probe crosses" },
      { when: "lost answer", delivered: 1, closedBy: "the same; the queue there drops the second copy, within five minutes" },
      { when: "after hand-over", delivered: 1, closedBy: "the copy comes again within five minutes, with the same deduplication id" },
      noAudit("long after hand-over"),
    ],
  },
  {
    path: "Drain pass → a link",
    mode: "`enableAudit: false` on both brokers",
    scene: scenes.unauditedPass,
    exactFor: "no time",
    rows: [
      { when: "no answer", delivered: 1, closedBy: "it is parked, and driven there when a probe crosses" },
      noAudit("lost answer"),
      noAudit("after hand-over"),
      { when: "after remove", delivered: 1, closedBy: "it is gone here" },
    ],
  },
];

const atMostOnce: readonly Row[] = [
  never("before claim", 1, "nothing was taken on"),
  never("after claim", 0, "nobody takes the claim over: a second hand-over would be worse"),
  never("claim unanswered", 0, "the same"),
  never("after remove", 0, "it is gone at its source and nowhere else"),
  never("refusal", 0, "the same"),
  never("no answer", 0, "the same"),
  never("lost answer", 1, "it isn't repeated"),
  never("after hand-over", 1, "it isn't repeated"),
  never("after delete", 1, "the claim is done: the copy is dropped"),
  never("two handlers", 1, "one claims; the other gives its copy back, which is dropped later"),
];
const bridgeRows = (doubled: Omit<Row, "when">, isClaimed: boolean): readonly Row[] => [
  ...(isClaimed ? beforeHandOver : []),
  { when: "refusal", delivered: 1, closedBy: "it waits in the bridge's `undelivered`" },
  { when: "no answer", delivered: 1, closedBy: "the same" },
  { when: "lost answer", ...doubled },
  { when: "after hand-over", ...doubled },
  ...(isClaimed
    ? ([{ when: "unsettled", ...doubled }, ...afterSettle.filter(({ when }) => when !== "long after delete")] as const)
    : ([
        { when: "after delete", ...doubled },
        { when: "two handlers", ...doubled },
      ] as const)),
];
const dropped: Omit<Row, "when"> = { delivered: 1, closedBy: "both have the id that the bridge gave: the ingress drops the second" };
const readersWork = "the id, which is the same: its reader compares, or `once` does";
const bridges: readonly Path[] = [
  ...(["plain", "ingress"] as const).map(
    (target): Path => ({
      path: `JMS bridge → ${target === "plain" ? "a plain target" : "the ingress of its broker"}`,
      mode: "AT_MOST_ONCE",
      scene: scenes.bridge("AT_MOST_ONCE", target),
      exactFor: "14 days",
      rows: atMostOnce,
    }),
  ),
  {
    path: "JMS bridge → a plain target",
    mode: "DUPLICATES_OK",
    scene: scenes.bridge("DUPLICATES_OK", "plain"),
    exactFor: "no time",
    rows: bridgeRows({ delivered: 2, behindOnce: 1, window: "not-audited", closedBy: readersWork }, false),
  },
  {
    path: "JMS bridge → the ingress of its broker",
    mode: "DUPLICATES_OK",
    scene: scenes.bridge("DUPLICATES_OK", "ingress"),
    exactFor: fortnight,
    rows: bridgeRows(dropped, false),
  },
  {
    path: "JMS bridge → a plain target",
    mode: "ONCE_AND_ONLY_ONCE",
    scene: scenes.bridge("ONCE_AND_ONLY_ONCE", "plain"),
    exactFor: fortnight,
    rows: bridgeRows({ delivered: 2, behindOnce: 1, window: "bridge-unsettled", closedBy: readersWork }, true),
  },
  {
    path: "JMS bridge → the ingress of its broker",
    mode: "ONCE_AND_ONLY_ONCE",
    scene: scenes.bridge("ONCE_AND_ONLY_ONCE", "ingress"),
    exactFor: fortnight,
    rows: bridgeRows(dropped, true),
  },
];

const guarded: Path = {
  path: "A handler behind `once`",
  mode: "its store answers",
  scene: scenes.guarded,
  exactFor: "15 days, for which the store remembers",
  rows: [
    ...beforeHandOver,
    {
      when: "handler throws",
      delivered: 2,
      behindOnce: 2,
      window: "handler-unsettled",
      closedBy: "effect and id in one transaction of the handler's",
    },
    { when: "before settle", delivered: 2, behindOnce: 2, window: "handler-unsettled", closedBy: "the same" },
    { when: "unsettled", delivered: 2, behindOnce: 2, window: "handler-unsettled", closedBy: "the same; `settled` is false" },
    ...afterSettle.filter(({ when }) => when !== "long after delete"),
  ],
};

/** What holds of each path, mode and moment. docs/guarantees.md is made of it, and a test plays each row. */
export const guarantees: readonly Path[] = [...network, ...bridges, guarded];
