import type { Outcomes, Path } from "../guarantee.ts";
import * as scenes from "../scenes.ts";
import { arrivals, askedAgain, deduplicated, fortnight, longAfter, lost, once, returned, sentTwice } from "./outcomes.ts";
import { aged, passes, redriven } from "./passes.ts";

const { fifo } = scenes;
const minutes = "5 minutes";
const here = { ...arrivals, ...returned, ...deduplicated };
const overLink = { ...arrivals, ...askedAgain, ...longAfter };
const parked = once("proven: it is parked for that link alone, behind its group");
const forgotten = lost("nothing: what keeps order isn't sent anew, and SQS forgets it after 14 days; its age is alarmed at 7");
const path = (name: string, scene: scenes.NetworkScene, rows: Outcomes, exactFor = minutes): Path => ({
  path: name,
  mode: "audited",
  scene,
  exactFor,
  rows,
});

export const ordered: readonly Path[] = [
  path("Dispatch → a FIFO queue here", fifo(scenes.queueHere), here),
  path(
    "Dispatch → a link, FIFO",
    fifo(scenes.overLink),
    { ...overLink, refusal: once("proven: it rests here, and a pass tries again") },
    fortnight,
  ),
  path("A link → dispatch → a FIFO queue there", fifo(scenes.fromLink), { ...here, ...sentTwice }),
  path("FIFO topic → feed → a link", scenes.fifoTopicFed, { ...overLink, ...sentTwice, refusal: parked }, fortnight),
  path("FIFO topic → feed → a link → FIFO topic there", scenes.fifoTopicAcross, { ...here, ...sentTwice }),
  path("Drain pass → a link, FIFO", fifo(scenes.passOverLink), { ...passes, ...askedAgain, ...longAfter }, fortnight),
  path("Drain pass → a private queue, FIFO", fifo(scenes.passToPrivate), { ...passes, ...deduplicated }),
  path(
    "Redrive of undelivered → its link, FIFO",
    fifo(scenes.redrive),
    {
      ...redriven,
      "long after hand-over": redriven["after hand-over"],
      away: aged,
      "long away": forgotten,
      "too long away": forgotten,
    },
    "14 days from when it was parked",
  ),
];
