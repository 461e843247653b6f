import { setTimeout as pause } from "node:timers/promises";
import { type DurableKey, durableId, longestId } from "../core/destination/durable-queue.ts";
import type { Brain, Events } from "../core/ports.ts";
import { hasSubscriber } from "../core/presence/durable.ts";
import type { ConsumerSpec } from "../core/presence/presence.ts";
import type { Ground } from "./connection.ts";
import { SpanMqError } from "./options.ts";

const lookAgain = 500;
/** Milliseconds: control works off events in seconds, and in any order, so that what was said before may be heard after. */
const untilHeard = 60_000;
const untilRefused = 10_000;

/** Refuses what control couldn't read. */
export const durableKey = (clientID: string | undefined, subscriptionName: string): DurableKey => {
  if (clientID === undefined || clientID === "")
    throw new SpanMqError(`durable subscription ${subscriptionName} belongs to a client: give connect a clientID, the same one each time`);
  for (const [what, text] of Object.entries({ clientID, subscriptionName }))
    if (text === "" || text.length > longestId) throw new SpanMqError(`${what} "${text}" must have 1 to ${longestId} characters`);
  return { clientID, subscriptionName };
};

/** Announces a durable subscription's subscriber until it has it. Throws why it can't: somebody else has it. */
export const untilTaken = async (
  { id, brain }: Pick<Ground, "id" | "brain">,
  { id: consumer, durable }: ConsumerSpec,
  announce: () => Promise<number>,
): Promise<void> => {
  const begun = Date.now();
  let counter = await announce();
  for (;;) {
    const stored = await brain.read("connection", "", id);
    const answer = stored && stored.value.counter >= counter ? stored.value : undefined;
    const refusal = answer?.refused?.find((one) => one.consumer === consumer);
    if (answer && !refusal) return;
    const waited = Date.now() - begun;
    if (refusal && waited >= untilRefused) throw new SpanMqError(refusal.why);
    if (waited >= untilHeard)
      throw new SpanMqError(
        `durable subscription ${durable?.subscriptionName}: the broker's control has not answered for ${untilHeard / 1_000} s`,
      );
    await pause(lookAgain);
    if (refusal) counter = await announce();
  }
};

/** Why consumers that were announced don't count: another connection has their durable subscriptions. */
export const refusedOf = async ({ id, brain }: Pick<Ground, "id" | "brain">): Promise<ReadonlyMap<string, string>> => {
  const stored = await brain.read("connection", "", id);
  return new Map(stored?.value.refused?.map(({ consumer, why }) => [consumer, why]));
};

/** Removes a durable subscription with what it has gathered, and waits until that is done. Throws where there is none, or a subscriber has it. */
export const unsubscribing = async (
  { slice, brain }: { readonly slice: Ground["slice"]; readonly brain: Brain },
  events: Events,
  durable: DurableKey,
): Promise<void> => {
  const id = durableId(durable);
  const named = `durable subscription ${durable.subscriptionName} of client ${durable.clientID}`;
  const found = await brain.read("durable", "", id);
  if (!found) throw new SpanMqError(`broker ${slice.broker} has no ${named}`);
  const { madeAt } = found.value;
  const begun = Date.now();
  for (;;) {
    const stored = await brain.read("durable", "", id);
    if (stored?.value.madeAt !== madeAt) return;
    const holder = await brain.read("connection", "", stored.value.takenBy);
    const isInUse = !stored.value.ending && holder?.value.phase === "live" && hasSubscriber(stored.value, holder.value.consumers);
    const waited = Date.now() - begun;
    if (isInUse && waited >= untilRefused)
      throw new SpanMqError(`${named} is in use by connection ${stored.value.takenBy}: close its subscriber first`);
    if (waited >= untilHeard)
      throw new SpanMqError(`${named} wasn't removed in ${untilHeard / 1_000} s; it will be when control gets to it`);
    await events.send([{ to: slice.broker, event: { event: "unsubscribe", durable, madeAt } }]);
    await pause(lookAgain);
  }
};
