import * as z from "zod";
import { sha256 } from "../aws/keys.ts";
import { type AwsSetup, awsSetup, type Environment } from "../aws/setup.ts";
import { type Addresses, addressesOf } from "../core/destination/addresses.ts";
import type { BrokerPlace } from "../core/destination/place.ts";
import { type BrokerId, brokerId } from "../core/ids.ts";
import { jsonText, parse } from "./parse.ts";

const id = z.string().regex(/^[a-z0-9]+$/);
const variables = z.object({
  SPANMQ_NETWORK: id,
  SPANMQ_BROKER: id,
  SPANMQ_PLACES: jsonText.pipe(z.array(z.object({ id, region: z.string(), account: z.string() }))),
  SPANMQ_TIMEOUT_SECONDS: z.coerce.number().int().positive(),
});

/** What a handler is deployed with. */
export interface Deployed {
  readonly setup: AwsSetup;
  readonly network: string;
  readonly broker: BrokerId;
  readonly brokers: readonly BrokerPlace[];
  readonly own: Addresses;
  readonly timeoutSeconds: number;
}

/** Reads a function's environment once; what is missing is said by name. */
export const readEnvironment = (env: Environment): Deployed => {
  const setup = awsSetup(env);
  const {
    SPANMQ_NETWORK: network,
    SPANMQ_BROKER: broker,
    SPANMQ_PLACES: places,
    SPANMQ_TIMEOUT_SECONDS: timeoutSeconds,
  } = parse(variables, env, "the function's environment isn't SpanMQ's, deploy the stack again");
  const brokers = places.map((one) => ({ ...one, id: brokerId(one.id) }));
  const place = brokers.find((one) => one.id === broker);
  if (!place) throw new Error(`SPANMQ_PLACES has no broker ${broker}: deploy the stack again`);
  return {
    setup,
    network,
    broker: brokerId(broker),
    brokers,
    timeoutSeconds,
    own: addressesOf(network, place, sha256),
  };
};

const depthLag = z.object({ SPANMQ_DEPTH_LAG_SECONDS: z.coerce.number().min(0) });

/** Milliseconds by which SQS's figures may lag where this runs. */
export const readDepthLag = (env: Environment): number =>
  1_000 * parse(depthLag, env, "the function's environment isn't SpanMQ's, deploy the stack again").SPANMQ_DEPTH_LAG_SECONDS;
