import { randomUUID } from "node:crypto";
import { dynamoBrain } from "../aws/brain.ts";
import { dynamoIn, patient, snsIn, sqsIn } from "../aws/clients.ts";
import { sha256, verifierOf } from "../aws/keys.ts";
import { awsSetup } from "../aws/setup.ts";
import { whereaboutsOf } from "../aws/whereabouts.ts";
import { physicalName } from "../core/destination/physical-name.ts";
import { brokerId, connectionId } from "../core/ids.ts";
import { type Connection, connectionOn } from "./connection.ts";
import { type ConnectOptions, SpanMqError } from "./options.ts";

/** A long poll waits 20 seconds for an answer. */
const polling = { requestTimeout: 30_000, maxAttempts: 3 };

/**
 * Connects to the broker of a region. Costs one read; consumers are announced to the broker's control queue, each minute and on change.
 * Throws a `SpanMqError` when the broker isn't deployed there, and says what to set when region or credentials are missing.
 *
 * @example
 * const connection = await connect({ network: "orders", broker: "eu", region: "eu-west-1" });
 * await connection.consume("queue://orders.new", async ({ text }) => console.log(text));
 * await connection.ready();
 */
export const connect = async (options: ConnectOptions): Promise<Connection> => {
  const { network, broker, region, env = process.env, onProblem = warn } = options;
  const setup = awsSetup(region === undefined ? env : { ...env, AWS_REGION: region });
  const table = physicalName(network, brokerId(broker), "sys", "brain", sha256);
  const brain = dynamoBrain({ dynamo: dynamoIn(setup)(setup.region), table, now: Date.now });
  const stored = await brain.read("broker", "", "broker").catch((cause: Error) => {
    throw cause.name === "ResourceNotFoundException" ? new SpanMqError(missing(options, setup.region), { cause }) : cause;
  });
  if (!stored) throw new SpanMqError(missing(options, setup.region));
  const { slice, keys } = stored.value;
  return connectionOn({
    id: connectionId(randomUUID().replaceAll("-", "").slice(0, 16)),
    slice,
    where: whereaboutsOf(slice, sha256),
    brain,
    verify: verifierOf(keys),
    sqs: sqsIn(setup, patient)(setup.region),
    polls: sqsIn(setup, { ...polling, maxSockets: 1_000 })(setup.region),
    sns: snsIn(setup)(setup.region),
    onProblem,
  });
};

const missing = ({ network, broker }: ConnectOptions, region: string): string =>
  `no broker ${broker} of network ${network} in ${region}: check the three names, or deploy its stack (cdk deploy spanmq-${network}-${broker})`;

const warn = (problem: Error): void => process.emitWarning(problem);
