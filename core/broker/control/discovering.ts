import { type DestinationKey, destinationKey, destinationOf } from "../../destination/destination.ts";
import type { Brain, ForeignSubscriptions, OutgoingEvent, Stored } from "../../ports.ts";
import type { DestinationView } from "../../routing/view.ts";
import { writeJudged } from "../contended.ts";
import type { Identity } from "../identity.ts";
import type { DiscoveredRecord } from "../records.ts";
import type { Touched } from "./applying.ts";

/**
 * Lists who is subscribed to a topic besides us: somebody who subscribes in the AWS console is demand. A listing that fails changes nothing,
 * nor does one that took so long that another is known by then.
 * Crash window: until what was found has been judged the record says that it wasn't looked at, so that the same event, or the next tick's,
 * repeats all.
 */
export const discover = async (
  { brain, foreign }: { readonly brain: Brain; readonly foreign: ForeignSubscriptions },
  key: DestinationKey,
  now: number,
): Promise<Touched> => {
  if (!(await brain.read("destination", "", key))) return { destinations: [] };
  const stored = await brain.read("discovered", "", key);
  const own = new Set((await brain.list("subscription", key)).map(({ value }) => value.arn));
  const listed = await foreign.list(destinationOf(key)).catch((error: Error) => error);
  if (listed instanceof Error) return { destinations: [], dropped: `its subscriptions can't be listed: ${listed.message}` };
  const found = listed.filter((arn) => !own.has(arn)).length;
  const isKnown = stored?.value.found === found && stored.value.lookedAt > 0;
  const seen: DiscoveredRecord = { found, lookedAt: now, since: stored?.value.found === found ? stored.value.since : now };
  const note = (value: DiscoveredRecord, revision: number) => writeJudged(brain, "discovered", "", key, value, revision);
  await note(isKnown ? seen : { ...seen, lookedAt: 0 }, stored?.revision ?? 0);
  if (isKnown) return { destinations: [] };
  const afterwards = async (): Promise<void> => {
    const begun = await brain.read("discovered", "", key);
    if (begun?.value.found === found) await note(seen, begun.revision);
  };
  return { destinations: [key], afterwards };
};

/** Well below SNS's 30 listings a second, which an account's brokers share. What is too much waits for the next tick. */
const listingsASecond = 10;
const listingsAMinute = 60 * listingsASecond;

/** The topics of this broker whose time to be listed has come, the one looked at longest ago first. */
export const dueDiscoveries = (
  { self }: Pick<Identity, "self">,
  views: readonly DestinationView[],
  discovered: readonly Stored<DiscoveredRecord>[],
  now: number,
): readonly OutgoingEvent[] => {
  const records = new Map(discovered.map(({ id, value }) => [id, value]));
  return views
    .filter(({ destination }) => destination.kind === "topic")
    .map(({ destination }) => destinationKey(destination))
    .map((key) => ({ key, record: records.get(key) ?? never }))
    .filter(({ record }) => nextListingAt(record) <= now)
    .toSorted((a, b) => a.record.lookedAt - b.record.lookedAt)
    .slice(0, listingsAMinute)
    .map(({ key }, index) => listing(self, key, Math.floor(index / listingsASecond)));
};

export const listing = (self: Identity["self"], destination: DestinationKey, seconds = 0): OutgoingEvent => ({
  to: self,
  event: { event: "discover", destination },
  ...(seconds > 0 && { delaySeconds: seconds }),
});

const never: DiscoveredRecord = { found: 0, lookedAt: 0, since: 0 };
const minute = 60_000;

/** At each tick; while its subscriptions stay as they are, after as long again as they have been, ten minutes at most. */
const nextListingAt = ({ lookedAt, since }: DiscoveredRecord): number => {
  const calm = lookedAt - since;
  return lookedAt + (calm < minute ? 0 : Math.min(calm, 10 * minute));
};
