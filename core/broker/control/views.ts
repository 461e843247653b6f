import type { Destination, DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Brain, Stored } from "../../ports.ts";
import type { DestinationView } from "../../routing/view.ts";
import { writeJudged } from "../contended.ts";

/** Dispatch caches a view for about a second; two, and every instance routes by the new one. */
export const viewLife = 2_000;

type Content = Omit<DestinationView, "changedAt">;

/**
 * Writes what dispatch reads, if it changed; `stored` is what it was judged by. A destination that is gone has no view. Answers what
 * stands.
 */
export const writeView = async (
  brain: Brain,
  key: DestinationKey,
  stored: Stored<DestinationView> | undefined,
  wanted: Content | undefined,
  now: number,
): Promise<Stored<DestinationView> | undefined> => {
  if (stored ? wanted && canonical(stored.value) === canonical(wanted) : !wanted) return stored;
  const value = wanted && { ...wanted, changedAt: now };
  const revision = await writeJudged(brain, "view", "", key, value, stored?.revision ?? 0);
  return value && { id: key, value, revision };
};

const canonical = (content: Content): string =>
  JSON.stringify([
    content.destination.kind,
    content.destination.name,
    content.localSubscribers,
    content.subscribers,
    content.choosy,
    content.readyAt,
    content.candidates.map((candidate) => JSON.stringify(Object.entries(candidate).toSorted())).toSorted(),
  ]);

/** Destinations that have the link among their candidates. */
export const routedOver = async (brain: Brain, link: LinkId): Promise<readonly Destination[]> => {
  const views = await brain.list("view", "");
  return views.flatMap(({ value: { destination, candidates } }) =>
    candidates.some((one) => one.to === "link" && one.link === link) ? [destination] : [],
  );
};
