import { distance } from "fastest-levenshtein";
import { describeConfigFault } from "../../../core/config/fault.ts";
import type { Network } from "../../../core/config/network.ts";
import { parseNetwork } from "../../../core/config/parse-network.ts";

const options = { distance, account: "123456789012" };

/** The sentences a faulty configuration is answered with; none for a good one. */
export const faultsOf = (input: unknown, { account }: { account?: string } = options): readonly string[] => {
  const parsed = parseNetwork(input, { distance, account });
  return parsed.ok ? [] : parsed.faults.map(describeConfigFault);
};

export const networkOf = (input: unknown): Network => {
  const parsed = parseNetwork(input, options);
  if (!parsed.ok) throw new Error(parsed.faults.map(describeConfigFault).join("\n"));
  return parsed.network;
};

/** Brokers us, eu and ap, with what the test is about added to `us`. */
export const aNetwork = (us: object = {}, rest: object = {}) => ({
  network: "orders",
  brokers: { us: { region: "us-east-1", ...us }, eu: { region: "eu-west-1" }, ap: { region: "ap-southeast-2" } },
  ...rest,
});

/** The same with one connector at `us`, that leads to `eu` unless it says something else. */
export const aConnector = (connector: object, rest: object = {}) => aNetwork({ networkConnectors: [{ to: "eu", ...connector }] }, rest);
