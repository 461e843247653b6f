import type { Destination, DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Brain, Stored } from "../../ports.ts";
import type { DestinationView } from "../../routing/view.ts";
import { writeJudged } from "../contended.ts";

/** Dispatch caches a view for about a second; two, and every instance routes by the new one. */
export const viewLife = 2_000;

/** Writes what dispatch reads, if it changed; `stored` is what it was judged by. A destination that is gone has no view. */
export const writeView = async (
  brain: Brain,
  key: DestinationKey,
  stored: Stored<DestinationView> | undefined,
  wanted: Content | undefined,
  now: number,
): Promise<void> => {
  if (!wanted) return stored && writeJudged(brain, "view", "", key, undefined, stored.revision);
  if (isSameView(stored?.value, wanted)) return;
  await writeJudged(brain, "view", "", key, { ...wanted, changedAt: now }, stored?.revision ?? 0);
};

type Content = Omit<DestinationView, "changedAt">;
/** Does the view say this already, whenever it was written? */
export const isSameView = (view: Content | undefined, wanted: Content): boolean => canonical(view ?? {}) === canonical(wanted);

const canonical = (content: Partial<DestinationView>): string =>
  JSON.stringify([
    content.destination?.kind,
    content.destination?.name,
    content.localSubscribers,
    content.subscribers,
    content.choosy,
    content.readyAt,
    (content.candidates ?? []).map((candidate) => JSON.stringify(Object.entries(candidate).toSorted())).toSorted(),
  ]);

/** Destinations that have the link among their candidates. */
export const routedOver = async (brain: Brain, link: LinkId): Promise<readonly Destination[]> => {
  const views = await brain.list("view", "");
  return views.flatMap(({ value: { destination, candidates } }) =>
    candidates.some((one) => one.to === "link" && one.link === link) ? [destination] : [],
  );
};
