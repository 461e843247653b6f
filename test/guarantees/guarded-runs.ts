import { memoryStore, once } from "../../client/index.ts";

export interface Delivery {
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
}

/** How often a handler runs that `once` guards. */
export const guardedRuns = async (deliveries: readonly Delivery[]): Promise<number> => {
  let [now, runs] = [0, 0];
  const handle = once(() => {}, { store: memoryStore(), handlerTimeout: 60_000, scope: "consumer", now: () => now });
  for (const { id, at } of deliveries) {
    now = at;
    if ("ran" in (await handle({ id }))) runs += 1;
  }
  return runs;
};
