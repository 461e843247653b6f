import type { NetworkConnector } from "../../config/slice.ts";
import { type LinkRecord, runsFirst, withFirstRun } from "../../link/link.ts";
import type { Brain } from "../../ports.ts";

/** Since when a link has known its peer's durable subscriptions. Answers the record to write. */
export const noteFirstRun = async (brain: Brain, record: LinkRecord, connector: NetworkConnector, now: number): Promise<LinkRecord> => {
  if (!runsFirst(record, connector)) return record;
  const known = (await brain.list("link", "")).map(({ value }) => value);
  return withFirstRun(record, connector.to, known, now);
};
