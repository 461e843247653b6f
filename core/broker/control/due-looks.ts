import type { NetworkConnector } from "../../config/slice.ts";
import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import type { OutgoingEvent, Stored } from "../../ports.ts";
import type { DrainedPlace } from "../../routing/plan.ts";
import type { DestinationView } from "../../routing/view.ts";
import type { Identity } from "../identity.ts";
import { lookAt } from "../looks.ts";
import { newPassRecord, nextLookAt } from "../reading.ts";
import type { PassRecord } from "../records.ts";
import { placeKey, sheltersOf } from "../resting.ts";

interface Watched {
  readonly place: DrainedPlace;
  /** Somebody else than its own consumers would take from it. */
  readonly isNetworked: boolean;
  readonly changedAt: number;
}

/** What a broker has that may hold messages. */
interface Places {
  readonly views: readonly DestinationView[];
  readonly links: readonly Pick<NetworkConnector, "link" | "fifo">[];
  readonly privateQueues: readonly string[];
  /** Of durable subscriptions. */
  readonly durableQueues?: readonly string[];
  /** Destinations that are being removed: whoever waits for them to be empty wants to know. */
  readonly removed?: readonly DestinationKey[];
}

const looksASecond = 50;
const looksAMinute = 60 * looksASecond;

/** The places of this broker whose time to be looked at has come, oldest reading first, fifty a second; what is too much waits for the next tick. */
export const dueLooks = (
  { self }: Pick<Identity, "self">,
  { views, links, privateQueues, durableQueues = [], removed = [] }: Places,
  passes: readonly Stored<PassRecord>[],
  now: number,
): readonly OutgoingEvent[] => {
  const records = new Map(passes.map(({ id, value }) => [id, value]));
  const watched = [
    ...views.flatMap((view) => queueOf(view, removed)),
    ...links.flatMap(sheltersOf).map((place): Watched => ({ place, ...unwanted })),
    ...privateQueues.map((queue): Watched => ({ place: { to: "private", queue }, ...unwanted })),
    ...durableQueues.map((queue): Watched => ({ place: { to: "own-queue", queue }, ...unwanted })),
  ];
  return watched
    .map((one) => ({ ...one, record: records.get(placeKey(one.place)) ?? newPassRecord }))
    .filter(({ record, ...one }) => nextLookAt(record, one) <= now)
    .toSorted((a, b) => readAt(a.record) - readAt(b.record))
    .slice(0, looksAMinute)
    .map(({ place }, index) => lookAt(self, place, Math.floor(index / looksASecond)));
};

const unwanted = { isNetworked: false, changedAt: 0 };

const queueOf = ({ destination, candidates, changedAt }: DestinationView, removed: readonly DestinationKey[]): Watched[] => {
  if (destination.kind !== "queue") return [];
  const isNetworked = candidates.some(({ to }) => to !== "consumers") || removed.includes(destinationKey(destination));
  return [{ place: { to: "queue", destination }, isNetworked, changedAt }];
};

const readAt = ({ reading }: PassRecord): number => reading?.at ?? 0;
