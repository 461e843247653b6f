import { Annotations } from "aws-cdk-lib";
import { RegionInfo } from "aws-cdk-lib/region-info";
import type { Construct } from "constructs";
import { closest } from "fastest-levenshtein";
import type { Network } from "../core/config/network.ts";
import { describeConfigWarning } from "../core/config/warning.ts";
import { BrokerStack } from "./broker-stack.ts";
import type { BrokerStackOptions } from "./broker-stack-options.ts";

/** One stack per broker, in any CDK app. What is allowed but probably not meant becomes a warning. */
export const buildNetwork = (scope: Construct, network: Network, options: BrokerStackOptions = {}): readonly BrokerStack[] => {
  for (const warning of network.warnings) Annotations.of(scope).addWarningV2(`spanmq:${warning.warning}`, describeConfigWarning(warning));
  for (const { id, region } of network.brokers) warnOfRegion(scope, id, region);
  return network.brokers.map(({ id }) => new BrokerStack(scope, `spanmq-${network.network}-${id}`, { ...options, network, broker: id }));
};

/** Not refused: a region may be newer than this CDK. */
const warnOfRegion = (scope: Construct, broker: string, region: string): void => {
  const known = RegionInfo.regions.map(({ name }) => name);
  if (known.includes(region)) return;
  const sentence = `brokers.${broker}.region: CDK knows no region ${region}; did you mean ${closest(region, known)}?`;
  Annotations.of(scope).addWarningV2("spanmq:unknown-region", sentence);
};
