/**
 * Every window through which a message may be there twice in ONCE_AND_ONLY_ONCE, by name; docs/guarantees.md tabulates what leads into
 * each. A history excuses a double only where a fault that it injected opened one of them for that very message, one double for each time.
 */
export const windows = {
  "producer-sent-again": "a producer whose send got no answer sends again: two messages",
  "delivered-again":
    "SQS delivers a copy again that somebody has in hand, or that was deleted: its consumer takes both, or a pass takes one",
  "accepted-unsettled": "a queue or topic here accepted a message, and its handler died, or the answer was lost, before it was settled",
  "settle-failed": "the settle of what a queue or topic here accepted failed for good, and its copy comes again",
  "pass-undeleted": "a drain pass sent a message and died, or failed, before it deleted the copy, which a consumer here takes",
  "pass-unsheltered":
    "a link didn't answer a drain pass, and its shelter took nothing or didn't answer either: a consumer here takes the copy that stays",
  "moved-by-hand":
    "a message at which a handler had died after a hand-over is dead-lettered by SQS and moved back: a plain one, or one that was moved back before, has a new id then",
  "bridge-unsettled":
    "a bridge's plain queue or topic, or the ingress of a broker that its broker has no connector to, accepted a batch, and before all of it was settled the handler died, the answer was lost, or the settle failed for good: what wasn't settled goes there again, with the same ids. Any other broker's ingress drops that",
  "clocks-apart":
    "two handlers have one copy at once, and their clocks differ so much that the one takes the other's claim for a dead one's: by what is left of the function's timeout, and five seconds more",
  "not-audited":
    "enableAudit: false, or DUPLICATES_OK: each copy is carried each time it comes, by whatever way there is then; a FIFO target drops what went there less than five minutes ago",
} as const;

export type Window = keyof typeof windows;
