import type { Brain, Counters, Depths, Passes } from "../../ports.ts";
import type { DrainedPlace, RestingPlace } from "../../routing/plan.ts";
import type { DestinationView } from "../../routing/view.ts";
import { writeJudged } from "../contended.ts";
import type { PassResult } from "../events.ts";
import type { PassRecord } from "../records.ts";
import { placeKey, restingCounter } from "../resting.ts";

export interface PassPorts {
  readonly brain: Brain;
  readonly counters: Counters;
  readonly depths: Depths;
  readonly passes: Passes;
}

/** Longer than a pass can run; a lost invocation is made good when it is over. */
const passLease = 120_000;

/**
 * Orders a drain pass of a queue if something may be in it that a candidate other than its own consumers would take, unless a pass is
 * under way or the last full round saw the same counter and the same view.
 */
export const orderPass = async (ports: PassPorts, place: Extract<RestingPlace, { to: "queue" }>, now: number): Promise<void> => {
  const key = placeKey(place);
  const [view, stored, counter] = await Promise.all([
    ports.brain.read("view", "", key),
    ports.brain.read("pass", "", key),
    ports.counters.add(restingCounter(place), 0),
  ]);
  if (!view?.value.candidates.some(({ to }) => to !== "consumers")) return;
  const round = stored?.value.round ?? { counter: 0, viewRevision: 0, left: 0 };
  const isNews = counter > round.counter || (round.left > 0 && round.viewRevision !== view.revision);
  if (isNews || (await hasDirectSends(ports.depths, view.value, round.left)))
    await startPass(ports, place, { counter, viewRevision: view.revision }, now);
};

/** A producer may send straight to the queue: its depth is all that shows it. Local consumers serve such a queue by themselves. */
const hasDirectSends = async (depths: Depths, { candidates, destination }: DestinationView, left: number): Promise<boolean> =>
  !candidates.some(({ to }) => to === "consumers") && (await depths.visible({ to: "queue", destination })) > left;

/** Starts a pass unless one is under way. */
export const startPass = async (
  ports: Pick<PassPorts, "brain" | "passes">,
  place: DrainedPlace,
  seen: { readonly counter: number; readonly viewRevision: number },
  now: number,
): Promise<void> => {
  const key = placeKey(place);
  const stored = await ports.brain.read("pass", "", key);
  if (stored && stored.value.leaseUntil > now) return;
  const pass = `${now}.${stored?.revision ?? 0}`;
  await writeJudged(ports.brain, "pass", "", key, { ...stored?.value, pass, leaseUntil: now + passLease }, stored?.revision ?? 0);
  await ports.passes.start({ place, pass, ...seen });
};

/** A pass is over. A full round is remembered; one that was cut short while it moved something is followed by the next at once. */
export const closePass = async (ports: PassPorts, result: PassResult, now: number): Promise<"closed" | "another's"> => {
  const { place, pass, counter, viewRevision, left, complete, moved } = result;
  const key = placeKey(place);
  const stored = await ports.brain.read("pass", "", key);
  if (stored?.value.pass !== pass) return "another's";
  const { emptySince = now, ...before } = stored.value;
  const closed: PassRecord = {
    ...before,
    leaseUntil: 0,
    ...(complete && { round: { counter, viewRevision, left } }),
    ...(complete && moved + left === 0 && { emptySince }),
  };
  await writeJudged(ports.brain, "pass", "", key, closed, stored.revision);
  if (place.to === "queue" && (complete || moved > 0)) await orderPass(ports, place, now);
  if (place.to === "undelivered" && !complete && moved > 0) await startPass(ports, place, { counter, viewRevision }, now);
  return "closed";
};
