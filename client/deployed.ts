import { dynamoBrain } from "../aws/brain.ts";
import { dynamoIn } from "../aws/clients.ts";
import { sha256 } from "../aws/keys.ts";
import { type AwsSetup, awsSetup } from "../aws/setup.ts";
import type { BrokerItem } from "../core/broker/records.ts";
import { physicalName } from "../core/destination/physical-name.ts";
import { brokerId } from "../core/ids.ts";
import type { Brain } from "../core/ports.ts";
import { type BrokerOptions, SpanMqError } from "./options.ts";

/** A broker as it was deployed last. */
export interface Deployed extends BrokerItem {
  readonly setup: AwsSetup;
  readonly brain: Brain;
}

/** Costs one read. */
export const findBroker = async (options: BrokerOptions): Promise<Deployed> => {
  const { network, broker, region, env = process.env } = options;
  const setup = awsSetup(region === undefined ? env : { ...env, AWS_REGION: region });
  const table = physicalName(network, brokerId(broker), "sys", "brain", sha256);
  const brain = dynamoBrain({ dynamo: dynamoIn(setup)(setup.region), table, now: Date.now });
  const stored = await brain.read("broker", "", "broker").catch((cause: Error) => {
    throw (cause.cause as Error | undefined)?.name === "ResourceNotFoundException"
      ? new SpanMqError(missing(options, setup.region), { cause })
      : cause;
  });
  if (!stored) throw new SpanMqError(missing(options, setup.region));
  return { ...stored.value, setup, brain };
};

const missing = ({ network, broker }: BrokerOptions, region: string): string =>
  `no broker ${broker} of network ${network} in ${region}: check the three names, or deploy its stack (cdk deploy spanmq-${network}-${broker})`;
