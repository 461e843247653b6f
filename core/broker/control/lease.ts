import type { Brain } from "../../ports.ts";

const leaseLife = 10_000;

/** Takes a lease that saves work (never correctness: each write is conditional). Undefined while somebody else holds it; else how to release it. */
export const takeLease = async (brain: Brain, name: string, now: number): Promise<(() => Promise<void>) | undefined> => {
  const held = await brain.read("lease", "", name);
  if (held && held.value.until > now) return undefined;
  const until = now + leaseLife;
  if ((await brain.write("lease", "", name, { until }, held?.revision ?? 0)) === "moved") return undefined;
  return async () => {
    const mine = await brain.read("lease", "", name);
    if (mine?.value.until === until) await brain.write("lease", "", name, undefined, mine.revision);
  };
};
