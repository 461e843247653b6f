import type { DestinationKey } from "../../destination/destination.ts";
import type { Brain } from "../../ports.ts";
import type { DestinationView } from "../../routing/view.ts";
import { writeJudged } from "../contended.ts";

/** Dispatch caches a view for about a second; two, and every instance routes by the new one. */
export const viewLife = 2_000;

/** Writes what dispatch reads, if it changed. */
export const writeView = async (
  brain: Brain,
  key: DestinationKey,
  wanted: Omit<DestinationView, "changedAt">,
  now: number,
): Promise<void> => {
  const stored = await brain.read("view", "", key);
  const { changedAt: _, ...content } = stored?.value ?? { changedAt: 0 };
  if (canonical(content) === canonical(wanted)) return;
  await writeJudged(brain, "view", "", key, { ...wanted, changedAt: now }, stored?.revision ?? 0);
};

const canonical = (content: Partial<DestinationView>): string =>
  JSON.stringify([
    content.destination?.kind,
    content.destination?.name,
    content.localSubscribers,
    content.readyAt,
    (content.candidates ?? []).map((candidate) => JSON.stringify(Object.entries(candidate).toSorted())).toSorted(),
  ]);
