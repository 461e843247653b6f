/** Where a message may be there twice all the same: each a stretch between two writes that nobody can make one. */
export const windows = {
  "producer's retry": "a producer that got no answer sends a second message: to SQS and SNS it is another one",
  "unaudited target":
    "a queue, topic or dead-letter queue accepted, and its carrier died or didn't hear of it: such a target can't be asked",
  "failed settle": "the audit couldn't be told that a message was handed over, and a copy of it comes again",
  "undeleted resting copy": "a pass sent a copy on and its own wasn't deleted or settled: a consumer here may take it before the next pass",
  "no audit": "with `enableAudit: false` each copy that is delivered again is carried again",
  DUPLICATES_OK: "the bridge claims nothing: a copy that comes again is handed over again",
  "forgotten claim": "a claim is remembered for 15 days: what comes again later is carried again",
  "handler's effect": "a handler had its effect and died, or threw, before the store of `once` knew",
} as const;
export type WindowName = keyof typeof windows;
