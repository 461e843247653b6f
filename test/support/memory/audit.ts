import type { Audit } from "../../../core/carry/audit.ts";
import type { ClaimKey, ClaimRecord } from "../../../core/carry/claim.ts";

export interface MemoryAudit<P> extends Audit<P> {
  readonly records: Map<ClaimKey, ClaimRecord<P>>;
}

/** Claims in memory, with plans copied as a table copies them. */
export const memoryAudit = <P>(): MemoryAudit<P> => {
  const records = new Map<ClaimKey, ClaimRecord<P>>();
  const isHeldBy = (key: ClaimKey, attempt: string): boolean => records.get(key)?.attempt === attempt;
  return {
    records,
    claim: async (claims, now) =>
      claims.map(({ key, owner, attempt, plan }) => {
        const record = records.get(key);
        if (record) return { answer: "found", record: structuredClone(record) };
        records.set(key, { owner, attempt, claimedAt: now, plan: structuredClone(plan), state: "claimed" });
        return { answer: "granted" };
      }),
    takeOver: async ({ key, owner, attempt }, found, now) => {
      const record = records.get(key);
      if (!record || record.attempt !== found.attempt || record.state === "done") return "lost";
      records.set(key, { ...record, owner, attempt, claimedAt: now });
      return "granted";
    },
    settle: async (claims) =>
      claims.map(({ key, attempt }) => {
        const record = records.get(key);
        if (!record || !isHeldBy(key, attempt)) return "unsettled";
        records.set(key, { ...record, state: "done" });
        return "settled";
      }),
    release: async (claims) => {
      for (const { key, attempt } of claims) if (isHeldBy(key, attempt) && records.get(key)?.state === "claimed") records.delete(key);
    },
  };
};
