import { distance } from "fastest-levenshtein";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { describeConfigFault } from "../../core/config/fault.ts";
import { parseNetwork } from "../../core/config/parse-network.ts";
import { type BrokerSlice, sliceFor } from "../../core/config/slice.ts";
import { brokerId } from "../../core/ids.ts";

/** What one broker of a network is deployed with. */
export const sliceOf = (input: NetworkInput, broker: string): BrokerSlice => {
  const parsed = parseNetwork(input, { distance, account: "000000000000" });
  if (!parsed.ok) throw new Error(parsed.faults.map(describeConfigFault).join("\n"));
  return sliceFor(parsed.network, brokerId(broker));
};
