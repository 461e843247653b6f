import { brokerId } from "../ids.ts";
import { bridgeFaults } from "./bridge-faults.ts";
import { graphFaults } from "./checks.ts";
import { declaredTwice } from "./declared.ts";
import { connectorsOf, consumersOf, declaredOf, normalized, policyOf, withOrderedWays } from "./expand.ts";
import type { ConfigFault } from "./fault.ts";
import { bridgeConsumers, bridgedAt, type JmsBridgeConfig, jmsBridgesOf } from "./jms-bridge.ts";
import type { Distance } from "./nearest.ts";
import type { BrokerConfig, Network } from "./network.ts";
import { outlineOf } from "./outline.ts";
import { inOrderOf } from "./reading.ts";
import { type BrokerFile, type NetworkFile, networkSchema } from "./schema/network.ts";
import { schemaFaults } from "./schema-faults.ts";
import { unreadIn, warningsOf } from "./warnings.ts";

export type ParsedNetwork =
  | { readonly ok: true; readonly network: Network }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

export interface ParseNetworkOptions {
  /** `distance` of fastest-levenshtein: finds the name that a misspelt one meant. */
  readonly distance: Distance;
  /** The account of brokers that name none: twelve digits. */
  readonly account?: string | undefined;
}

/**
 * Reads a configuration as it came from a file. Never throws; all faults come together, in the order of the file.
 * @example
 * const parsed = parseNetwork({ network: "orders", brokers: { us: { region: "us-east-1" } } }, { distance, account: "123456789012" });
 * if (!parsed.ok) throw new Error(parsed.faults.map(describeConfigFault).join("\n"));
 */
export const parseNetwork = (input: unknown, { distance, account }: ParseNetworkOptions): ParsedNetwork => {
  const parsed = networkSchema.safeParse(input);
  const faults = [
    ...(parsed.success ? missingAccounts(parsed.data, account) : schemaFaults(input, parsed.error.issues, distance)),
    ...graphFaults(outlineOf(input), distance),
    ...declaredTwice(input),
    ...bridgeFaults(input, distance),
  ];
  if (!parsed.success || faults.length > 0) return { ok: false, faults: sorted(input, faults) };
  return { ok: true, network: networkOf(parsed.data, account ?? "") };
};

const missingAccounts = ({ brokers }: NetworkFile, account: string | undefined): ConfigFault[] =>
  Object.entries(brokers)
    .filter(([, broker]) => (broker.account ?? account) === undefined)
    .map(([id]) => ({
      fault: "missing",
      path: ["brokers", id, "account"],
      value: undefined,
      must: 'must be the AWS account it lives in, such as "123456789012" (or sign in to AWS: then your credentials tell it)',
    }));

const sorted = (input: unknown, faults: readonly ConfigFault[]): ConfigFault[] => {
  const order = inOrderOf(input);
  return faults.toSorted((a, b) => order(a.path, b.path));
};

const networkOf = (file: NetworkFile, account: string): Network => {
  const jmsBridges = jmsBridgesOf(file);
  const brokers = Object.entries(file.brokers).map(([id, broker]) => brokerOf(id, broker, account, jmsBridges));
  const connectors = withOrderedWays(connectorsOf(file), brokers);
  return {
    network: file.network,
    brokers,
    connectors,
    jmsBridges,
    warnings: [...unreadIn(file), ...warningsOf(brokers, connectors, jmsBridges)],
  };
};

const brokerOf = (id: string, broker: BrokerFile, account: string, bridges: readonly JmsBridgeConfig[]): BrokerConfig => ({
  id: brokerId(id),
  region: broker.region,
  account: broker.account ?? account,
  ...declaredOf(broker, bridgedAt(bridges, id)),
  consumers: [...consumersOf(broker), ...bridgeConsumers(bridges, id)],
  advisorySupport: broker.advisorySupport,
  autoCreateDestinations: broker.autoCreateDestinations?.map(normalized) ?? "permitted",
  subscriptionGrace: broker.subscriptionGrace,
  peerLease: broker.peerLease,
  removalPolicy: broker.removalPolicy,
  destinationPolicies: broker.destinationPolicies.map(policyOf),
});
