import { App } from "aws-cdk-lib";
import cdk from "../../../cdk.json" with { type: "json" };
import type { NetworkInput } from "../../../core/config/define-network.ts";
import type { Network } from "../../../core/config/network.ts";
import type { BrokerStack } from "../../../infra/broker-stack.ts";
import type { BrokerStackOptions } from "../../../infra/broker-stack-options.ts";
import { buildNetwork } from "../../../infra/build-network.ts";
import { networkFrom } from "../../../infra/read-network.ts";
import { scratchFolder } from "../scratch-folder.ts";

export const usAccount = "111111111111";
export const euAccount = "222222222222";

/** Two brokers in two accounts with everything once: a duplex connector, declared destinations, a declared consumer. */
export const pair: NetworkInput = {
  network: "orders",
  brokers: {
    us: {
      region: "us-east-1",
      account: usAccount,
      queues: ["orders.new"],
      topics: ["prices"],
      networkConnectors: [{ name: "us-eu", to: "eu", duplex: true }],
    },
    eu: { region: "eu-west-1", account: euAccount, consumers: [{ destination: "queue://plain.orders", count: 2 }] },
  },
};

/** As `cdk deploy` makes it, but for esbuild. */
export const anApp = (): App => new App({ outdir: scratchFolder(), context: { ...cdk.context, "aws:cdk:bundling-stacks": [] } });

export const stacksOf = (input: NetworkInput, options?: BrokerStackOptions): Readonly<Record<string, BrokerStack>> =>
  stacksIn(anApp(), networkFrom(input), options);

const stacksIn = (app: App, network: Network, options?: BrokerStackOptions): Readonly<Record<string, BrokerStack>> =>
  Object.fromEntries(buildNetwork(app, network, options).map((stack) => [stack.broker, stack]));

/** The stack of one broker. */
export const stackOf = (input: NetworkInput, broker: string, options?: BrokerStackOptions): BrokerStack => {
  const stack = stacksOf(input, options)[broker];
  if (!stack) throw new Error(`no broker ${broker}`);
  return stack;
};
