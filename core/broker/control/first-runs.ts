import type { NetworkConnector } from "../../config/slice.ts";
import { type LinkRecord, newLink, runsFirst, withFirstRun } from "../../link/link.ts";
import type { Brain } from "../../ports.ts";

/** Since when a link has known its peer's durable subscriptions. Answers the record to write. */
export const noteFirstRun = async (brain: Brain, record: LinkRecord, connector: NetworkConnector, now: number): Promise<LinkRecord> => {
  if (!runsFirst(record, connector)) return record;
  const known = (await brain.list("link", "")).map(({ value }) => value);
  return withFirstRun(record, connector.to, known, now);
};

/**
 * A connector that left the configuration leaves nothing to one that will have its name, no state, no command; but to the next one that leads
 * to its peer, whatever it is called, since when that peer's durable subscriptions have been known.
 */
export const leftOfRun = ({ link, to, ranSince }: LinkRecord): LinkRecord | undefined =>
  to === undefined || ranSince === undefined ? undefined : { ...newLink(link), to, ranSince };
