import type { Brain } from "../ports.ts";
import { Contended } from "./contended.ts";
import type { BrokerItem } from "./records.ts";

const attempts = 10;

/**
 * Changes the broker item; `change` is asked again if a hello's key came in between. It answers `undefined` where nothing is to change.
 * Crash window: none, it is one write.
 */
export const changeBroker = async (brain: Brain, change: (stored: BrokerItem | undefined) => BrokerItem | undefined): Promise<void> => {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const stored = await brain.read("broker", "", "broker");
    const item = change(stored?.value);
    if (!item || (await brain.write("broker", "", "broker", item, stored?.revision ?? 0)) !== "moved") return;
  }
  throw new Contended("broker");
};
