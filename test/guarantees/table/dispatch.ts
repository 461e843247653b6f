import type { Outcomes, Path } from "../guarantee.ts";
import * as scenes from "../scenes.ts";
import { arrivals, askedAgain, forgetful, fortnight, once, returned, sentTwice, twice } from "./outcomes.ts";

const here = { ...arrivals, ...returned, ...forgetful };
const resting = "14 days; at rest for ever: what grows old is sent anew";
const uncounted = "it is counted when the copy comes again";
const overLink: Outcomes = { ...arrivals, ...askedAgain, refusal: once("proven: it rests here, and a pass tries again") };

/** The link's receiver knows by id and path what it has. */
const droppedThere = (where: string) => {
  const dropped = once(`it ${where} twice; the receiver of the link drops one`);
  return { "lost answer": dropped, "after hand-over": dropped, "before settle": dropped, unsettled: dropped };
};
const { "before release": _b, "after release": _a, unreleased: _u, ...unreleasing } = arrivals;

/** The first part has no memory. */
const inParts = {
  partly: twice("accepted-unsettled"),
  "partly unanswered": twice("accepted-unsettled", "`once`; the other part comes once"),
};
const marked = Object.fromEntries(
  Object.entries(here).map(([when, one]) => [
    when,
    "window" in one ? { ...one, closedBy: "the message id in their attribute `SpanMQ`" } : one,
  ]),
);

const path = (name: string, scene: scenes.NetworkScene, rows: Outcomes, exactFor = fortnight): Path => ({
  path: name,
  mode: "audited",
  scene,
  exactFor,
  rows,
});

export const dispatch: readonly Path[] = [
  path("Dispatch → a queue here", scenes.queueHere, here),
  path("Dispatch → a private queue", scenes.privateQueue, here),
  path("Dispatch → a topic here", scenes.topicHere, here),
  path("Dispatch → a link", scenes.overLink, overLink),
  path("A link → dispatch → a queue there", scenes.fromLink, { ...here, ...sentTwice }),
  path(
    "Dispatch → rest, then a consumer here",
    scenes.restsForHere,
    {
      ...here,
      "before counter": twice("accepted-unsettled", `\`once\`; ${uncounted}`),
      "after counter": twice("accepted-unsettled"),
    },
    resting,
  ),
  path(
    "Dispatch → rest, then a consumer elsewhere",
    scenes.restsForThere,
    {
      ...here,
      ...droppedThere("rests"),
      "before counter": once(`it rests twice; the receiver of the link drops one; ${uncounted}`),
      "after counter": once("it rests twice; the receiver of the link drops one"),
    },
    resting,
  ),
  path("Dispatch → parked for a link that didn't answer", scenes.parked, {
    ...unreleasing,
    ...droppedThere("is parked"),
    refusal: once("the copy comes again along its stored plan"),
    "return unheard": returned["return unheard"],
    "no answer": once("the copy comes again along its stored plan"),
  }),
  path("Dispatch → dead letters", scenes.buried, marked),
  path("Dispatch → the parts of a composite here", scenes.composite, {
    ...here,
    ...inParts,
    "partly refused": once("each part has a claim of its own: the other one comes again alone"),
  }),
  path("Topic → SNS → a link's inbound → topic there, published for a native subscriber", scenes.topicAcross, { ...here, ...sentTwice }),
  path("Topic → SNS → a link's inbound → two clients' queues there, directly", scenes.topicDirect, {
    ...here,
    ...sentTwice,
    ...inParts,
    "partly refused": once("what is left is noted with the claim: the copy comes again for that part alone"),
    "before progress": twice("accepted-unsettled", "`once`; the plan is whole still"),
    "after progress": once("the copy comes again for the part that is left"),
    unnoted: twice("accepted-unsettled", "`once`; the plan is whole still"),
  }),
];
