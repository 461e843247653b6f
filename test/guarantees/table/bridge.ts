import type { QualityOfService } from "../../../core/carry/quality-of-service.ts";
import type { Outcome, Outcomes, Path } from "../guarantee.ts";
import { type BridgeScene, bridge } from "../scenes.ts";
import { arrivals, claimed, fortnight, lost, once, released, sentTwice, twice, twiceForAll } from "./outcomes.ts";

const unclaimed = lost("nobody takes the claim over: a second hand-over would be worse");
const goneThere = lost("it is gone at its source and nowhere else");
const unrepeated = once("it isn't repeated");
const dropped = once("the copy is dropped: its claim is done");
const atMostOnce = {
  "before claim": once("nothing was taken on"),
  "after claim": unclaimed,
  "claim unanswered": unclaimed,
  refusal: goneThere,
  "before release": goneThere,
  "after release": goneThere,
  unreleased: goneThere,
  "no answer": goneThere,
  "lost answer": unrepeated,
  "after hand-over": unrepeated,
  "before settle": unrepeated,
  "after settle": unrepeated,
  unsettled: unrepeated,
  "before delete": unclaimed,
  "delete fails": once("it is handed to nobody, and its claim given back: the copy comes again"),
  "delete unanswered": goneThere,
  "after remove": goneThere,
  "after delete": dropped,
  "long after delete": dropped,
  "two handlers": arrivals["two handlers"],
} satisfies Outcomes;

const parked = once("it waits in the bridge's `undelivered`");
const free = once("the claim ages, and the copy goes to the bridge's `undelivered` or its target");
/** From its source; `doubled`: what comes of a second hand-over. */
const duplicatesOk = (doubled: Outcome) =>
  ({
    refusal: parked,
    "no answer": parked,
    "lost answer": doubled,
    "after hand-over": doubled,
    "after delete": doubled,
    "long after delete": doubled,
    "two handlers": doubled,
  }) satisfies Outcomes;
const onceAndOnlyOnce = (doubled: Outcome) =>
  ({
    ...duplicatesOk(doubled),
    ...arrivals,
    "before release": free,
    "after release": once("the copy comes again, and is claimed anew"),
    unreleased: free,
    "before settle": doubled,
    unsettled: doubled,
  }) satisfies Outcomes;

const orderAgain = once("the order to look after it comes again, when the copy is visible");
const waitsOn = once("it waits on, until the bridge looks again");
const found = once("it is found again, and dropped: its claim is done");
const fromShelter = (doubled: Outcome) =>
  ({
    "after receive": orderAgain,
    refusal: waitsOn,
    "no answer": waitsOn,
    "lost answer": doubled,
    "after hand-over": doubled,
    "before delete": doubled,
    "delete fails": doubled,
    "delete unanswered": once("it is gone here"),
    "after remove": once("it is gone here"),
    "after delete": doubled,
    "before give-back": orderAgain,
    "after give-back": orderAgain,
  }) satisfies Outcomes;
const claimedFromShelter = (doubled: Outcome) =>
  ({
    ...fromShelter(doubled),
    ...claimed,
    ...released,
    "before settle": doubled,
    "after settle": found,
    unsettled: doubled,
    "before delete": found,
    "delete fails": found,
    "after delete": found,
  }) satisfies Outcomes;

const names = {
  plain: "a plain queue or topic",
  own: "the ingress of its broker",
  linked: "the ingress of a broker that its broker has a connector to",
  unlinked: "the ingress of a broker that its broker has no connector to",
} as const;
const sources = { queue: "A queue → JMS bridge", topic: "A topic → JMS bridge", parked: "JMS bridge's `undelivered`, its target back" };
const path = (
  mode: QualityOfService,
  from: BridgeScene["from"],
  target: BridgeScene["target"],
  rows: Outcomes,
  exactFor: string,
): Path => ({
  path: `${sources[from]} → ${names[target]}`,
  mode,
  scene: bridge(mode, from, target),
  exactFor,
  rows,
});

const readersWork =
  "the id that the bridge gave, which is the same: its reader compares, or `once` where it is [told that id](jms-bridge.md#ids-at-the-target)";
const producersWork = "an id of the producer's own in the body: that broker can't check who signed, and gives each copy an id of its own";
const dropsIt = once("both have the id that the bridge gave: the ingress drops the second");
/** What comes of a second hand-over, without a claim and between a claim's hand-over and its settle. */
const second = {
  plain: { ok: twice("not-audited", readersWork), exact: twice("bridge-unsettled", readersWork) },
  own: { ok: dropsIt, exact: dropsIt },
  linked: { ok: dropsIt, exact: dropsIt },
  unlinked: { ok: twiceForAll("not-audited", producersWork), exact: twiceForAll("bridge-unsettled", producersWork) },
} satisfies Record<BridgeScene["target"], unknown>;

export const bridges: readonly Path[] = (["plain", "own", "linked", "unlinked"] as const).flatMap((target) => {
  const { ok, exact } = second[target];
  const okFor = ok === dropsIt ? fortnight : "no time";
  return [
    path("AT_MOST_ONCE", "queue", target, atMostOnce, fortnight),
    path("AT_MOST_ONCE", "topic", target, { ...atMostOnce, ...sentTwice }, fortnight),
    path("DUPLICATES_OK", "queue", target, duplicatesOk(ok), okFor),
    path("DUPLICATES_OK", "topic", target, { ...duplicatesOk(ok), "delivered twice": ok }, okFor),
    path("DUPLICATES_OK", "parked", target, fromShelter(ok), okFor),
    path("ONCE_AND_ONLY_ONCE", "queue", target, onceAndOnlyOnce(exact), fortnight),
    path("ONCE_AND_ONLY_ONCE", "topic", target, { ...onceAndOnlyOnce(exact), ...sentTwice }, fortnight),
    path("ONCE_AND_ONLY_ONCE", "parked", target, claimedFromShelter(exact), fortnight),
  ];
});
