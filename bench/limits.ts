/** What we demand of ourselves: printed beside what is measured. Calls are asserted by a test, times by `--assert` alone. */
export const limits = {
  /** Calls of a message: one receive, one send and one delete for ten of them, and what is left of a batch that isn't full. */
  sqsOfQueueHop: 0.31,
  sqsOfFurtherTarget: 0.1,
  /** Besides the deliveries. */
  sqsOfTopicHop: 0.21,
  /** Claim and settle. */
  auditWrites: 2,
  /** A batch is counted as it comes to rest. */
  restWrites: 0.1,
  /** A batch's turn among several candidates. */
  shareWrites: 0.1,
  /** Destinations: control makes no more calls for each of the many than for each of the few. */
  fewDestinations: 20,
  manyDestinations: 2_000,
  /** Ours : bare loop, at least. */
  throughputRatio: 0.85,
  /** A healthy queue's p50 while a peer hangs : undisturbed, at most. */
  healthyQueueRatio: 1.2,
  catchUpSeconds: 10,
} as const;

/**
 * The real brokers on two cores like these, durable messages, as the requirements for this bench give them (docs/performance.md): measured
 * there, not by this command.
 */
export const originals = [
  { what: "two ActiveMQ brokers over a network connector", perSecond: "2300–3400" },
  { what: "an Artemis JMS bridge, exactly once,", perSecond: "1170" },
] as const;

/** Of the same, on the same machine: in the JVM, and by another library. */
export const rivals = {
  selectors: [{ who: "ActiveMQ", perSecond: 7_300_000 }],
  names: [
    { who: "ActiveMQ", perSecond: 2_900_000 },
    { who: "qlobber", perSecond: 950_000 },
  ],
} as const;
