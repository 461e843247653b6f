import { Annotations } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Network } from "../core/config/network.ts";
import { describeConfigWarning } from "../core/config/warning.ts";
import { BrokerStack, type BrokerStackOptions } from "./broker-stack.ts";

/** One stack per broker, in any CDK app. What is allowed but probably not meant becomes a warning. */
export const buildNetwork = (scope: Construct, network: Network, options: BrokerStackOptions = {}): readonly BrokerStack[] => {
  for (const warning of network.warnings) Annotations.of(scope).addWarningV2(`spanmq:${warning.warning}`, describeConfigWarning(warning));
  return network.brokers.map(({ id }) => new BrokerStack(scope, `spanmq-${network.network}-${id}`, { ...options, network, broker: id }));
};
