import type { Outcomes, Path } from "../guarantee.ts";
import * as scenes from "../scenes.ts";
import { once, twice } from "./outcomes.ts";
import { passing } from "./passes.ts";

const { fifo, unaudited } = scenes;
const noTime = "no time";
const minutes = "5 minutes, while no other way opens";
const doubled = twice("not-audited");
const again = once("the copy comes again when its visibility ends");

/** Each copy is carried each time it comes. */
const here = {
  refusal: again,
  "return unheard": again,
  "no answer": again,
  "lost answer": doubled,
  "after hand-over": doubled,
  "after delete": doubled,
  "long after delete": doubled,
  "two handlers": doubled,
} satisfies Outcomes;
const sentTwice = { "delivered twice": doubled } satisfies Outcomes;
const inParts = { partly: doubled, "partly refused": doubled, "partly unanswered": doubled } satisfies Outcomes;
const counted = { "before counter": doubled, "after counter": doubled } satisfies Outcomes;

const driven = once("it is parked, and driven there when a probe crosses");
const { "return unheard": _, ...arrived } = here;
const overLink = {
  ...arrived,
  refusal: once("it rests here, and a pass tries again"),
  "no answer": driven,
  "shelter refuses": doubled,
  "shelter unanswered": doubled,
  "after shelter": { ...doubled, delivered: 3, closedBy: "`once`; it is handed over twice and driven from where it was parked" },
} satisfies Outcomes;
const inPass = {
  ...passing,
  "no answer": again,
  "lost answer": doubled,
  "after hand-over": doubled,
  "before delete": doubled,
  "delete fails": doubled,
  "after delete": doubled,
} satisfies Outcomes;
const passOverLink = {
  ...inPass,
  "no answer": driven,
  "shelter refuses": doubled,
  "shelter unanswered": doubled,
  "after shelter": overLink["after shelter"],
} satisfies Outcomes;

const inTime = once("the copy comes again within five minutes, with the same deduplication id");
/** What a FIFO target took less than five minutes ago it drops; a link's receiver sends it on with the id that it had. */
const ordered = <O extends Outcomes>(rows: O): Outcomes => ({
  ...(Object.fromEntries(
    Object.entries(rows).map(([when, one]) => [when, when !== "long after delete" && "window" in one ? inTime : one]),
  ) as O),
  "long after hand-over": doubled,
});
const path = (name: string, scene: scenes.NetworkScene, exactFor: string, rows: Outcomes, mode = "`enableAudit: false`"): Path => ({
  path: name,
  mode,
  scene: unaudited(scene),
  exactFor,
  rows,
});
const both = "`enableAudit: false` on both brokers";

export const unauditedPaths: readonly Path[] = [
  path("Dispatch → a queue here", scenes.queueHere, noTime, here),
  path("Dispatch → a topic here", scenes.topicHere, noTime, here),
  path("Dispatch → rest, then a consumer here", scenes.restsForHere, noTime, { ...here, ...counted }),
  path("Dispatch → the parts of a composite here", scenes.composite, noTime, { ...here, ...inParts }),
  path("Dispatch → a link", scenes.overLink, noTime, overLink, both),
  path("A link → dispatch → a queue there", scenes.fromLink, noTime, { ...here, ...sentTwice }, both),
  path(
    "Topic → SNS → a link's inbound → topic there, published for a native subscriber",
    scenes.topicAcross,
    noTime,
    { ...here, ...sentTwice },
    both,
  ),
  path(
    "Topic → SNS → a link's inbound → two clients' queues there, directly",
    scenes.topicDirect,
    noTime,
    { ...here, ...sentTwice, ...inParts },
    both,
  ),
  path("Drain pass → a link", scenes.passOverLink, noTime, passOverLink, both),
  path("Drain pass → a private queue", scenes.passToPrivate, noTime, inPass),
  path("What rests is sent anew after 7 days, then a consumer here", scenes.renewed, noTime, inPass),
  path("Dispatch → a FIFO queue here", fifo(scenes.queueHere), minutes, ordered(here)),
  path("Dispatch → a FIFO queue here, while consumers change", scenes.unauditedFifoMoving, "no time: the copy goes another way", {
    ...ordered(here),
    "after hand-over": doubled,
    "after delete": doubled,
  }),
  path("Dispatch → a link, FIFO", fifo(scenes.overLink), minutes, ordered(overLink), both),
  path("A link → dispatch → a FIFO queue there", fifo(scenes.fromLink), minutes, ordered({ ...here, ...sentTwice }), both),
  path("FIFO topic → feed → a link → FIFO topic there", scenes.fifoTopicAcross, minutes, ordered({ ...here, ...sentTwice }), both),
  path("Drain pass → a link, FIFO", fifo(scenes.passOverLink), minutes, ordered(passOverLink), both),
];
