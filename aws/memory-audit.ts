import type { Audit } from "../core/carry/audit.ts";
import type { ClaimKey, ClaimRecord } from "../core/carry/claim.ts";
import { fifteenDays } from "./audit.ts";

export interface MemoryAudit<P> extends Audit<P> {
  readonly records: Map<ClaimKey, ClaimRecord<P>>;
}

/** Claims of one process, gone with it; plans are copied as a table copies them. `window`: milliseconds for which a claim is remembered. */
export const memoryAudit = <P>(window = fifteenDays): MemoryAudit<P> => {
  const records = new Map<ClaimKey, ClaimRecord<P>>();
  const isOver = ({ claimedAt }: ClaimRecord<P>, now: number): boolean => claimedAt + window <= now;
  const forgetOld = (now: number): void => {
    for (const [key, record] of records) {
      if (!isOver(record, now)) return; // about the oldest stand first
      records.delete(key);
    }
  };
  const heldBy = (key: ClaimKey, attempt: string): ClaimRecord<P> | undefined => {
    const record = records.get(key);
    return record?.attempt === attempt ? record : undefined;
  };
  return {
    records,
    claim: async (claims, now) => {
      forgetOld(now);
      return claims.map(({ key, owner, attempt, plan }) => {
        const record = records.get(key);
        if (record && !isOver(record, now)) return { answer: "found", record: structuredClone(record) };
        records.delete(key);
        records.set(key, { owner, attempt, claimedAt: now, plan: structuredClone(plan), state: "claimed" });
        return { answer: "granted" };
      });
    },
    takeOver: async ({ key, owner, attempt }, found, now) => {
      const record = heldBy(key, found.attempt);
      if (record?.claimedAt !== found.claimedAt || record.state === "done") return "lost";
      records.delete(key);
      records.set(key, { ...record, owner, attempt, claimedAt: now, state: "claimed" });
      return "granted";
    },
    progress: async (claims) => {
      for (const { key, attempt, left } of claims) {
        const record = heldBy(key, attempt);
        if (record?.state === "claimed") records.set(key, { ...record, plan: structuredClone(left), state: "open" });
      }
    },
    settle: async (claims, now) =>
      claims.map(({ key }) => {
        const record = records.get(key) ?? { owner: "", attempt: "", claimedAt: now, plan: null as P };
        records.set(key, { ...record, state: "done" });
        return "settled";
      }),
    release: async (claims) =>
      claims.map(({ key, attempt }) => {
        if (heldBy(key, attempt)?.state === "claimed") records.delete(key);
        return "released";
      }),
  };
};
