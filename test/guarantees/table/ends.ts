import type { Path } from "../guarantee.ts";
import * as scenes from "../scenes.ts";
import { arrivals, once, twice, twiceForAll } from "./outcomes.ts";

const sentAgain = { "producer again": twiceForAll("producer-sent-again", "an id of the producer's own in the body") };

export const producers: readonly Path[] = [
  { path: "Producer → ingress", mode: "any", scene: scenes.produced, exactFor: "no time", rows: sentAgain },
  { path: "Producer → topic", mode: "any", scene: scenes.published, exactFor: "no time", rows: sentAgain },
];

const unsettled = (closedBy: string) => twiceForAll("handler-unsettled", closedBy);
const aged = once("the claim ages: another runs after `handlerTimeout`");

export const consumers: readonly Path[] = [
  {
    path: "A queue → its consumer",
    mode: "any",
    scene: scenes.consumed,
    exactFor: "no time",
    rows: {
      "after delete": twice("delivered-again"),
      "long after delete": twice("delivered-again"),
      "two handlers": twice("delivered-again"),
    },
  },
  {
    path: "A handler behind `once`",
    mode: "its store answers",
    scene: scenes.guarded,
    exactFor: "15 days, for which the store remembers",
    rows: {
      "before claim": arrivals["before claim"],
      "after claim": aged,
      "take-over": arrivals["take-over"],
      "claim unanswered": aged,
      "handler fails": once("the claim is given back, and the message comes again"),
      "before handler's release": aged,
      "after handler's release": once("the message comes again, and is free"),
      "handler's unreleased": aged,
      "handler throws": unsettled("effect and id in one transaction of the handler's"),
      "before settle": unsettled("effect and id in one transaction of the handler's"),
      "after settle": arrivals["after settle"],
      unsettled: unsettled("effect and id in one transaction of the handler's; `settled` is false"),
      "after delete": arrivals["after delete"],
      "long after delete": arrivals["long after delete"],
      "two handlers": once("one claims; the other is told how much later to come"),
    },
  },
];
