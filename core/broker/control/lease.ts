import type { Brain } from "../../ports.ts";

const leaseLife = 10_000;

export interface Lease {
  release(): Promise<void>;
  /** Whoever had it died, or hangs and may still write by what he read, as long as an invocation runs. */
  readonly isTakenOver: boolean;
}

/**
 * Takes a lease, so that two don't do the same work: what they write is right without it, each write being conditional on what it was judged
 * by. Undefined while somebody else holds it.
 */
export const takeLease = async (brain: Brain, name: string, now: number): Promise<Lease | undefined> => {
  const held = await brain.read("lease", "", name);
  if (held && held.value.until > now) return undefined;
  const until = now + leaseLife;
  if ((await brain.write("lease", "", name, { until }, held?.revision ?? 0)) === "moved") return undefined;
  const release = async () => {
    const mine = await brain.read("lease", "", name);
    if (mine?.value.until === until) await brain.write("lease", "", name, undefined, mine.revision);
  };
  return { release, isTakenOver: held !== undefined };
};
