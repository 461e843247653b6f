import { randomUUID } from "node:crypto";
import { patient, snsIn, sqsIn } from "../aws/clients.ts";
import { sha256, verifierOf } from "../aws/keys.ts";
import { whereaboutsOf } from "../aws/whereabouts.ts";
import { connectionId } from "../core/ids.ts";
import { type Connection, connectionOn } from "./connection.ts";
import { findBroker } from "./deployed.ts";
import { type ConnectOptions, warn } from "./options.ts";

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
export const connect = async ({ onProblem = warn, ...options }: ConnectOptions): Promise<Connection> => {
  const { setup, brain, slice, keys } = await findBroker(options);
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
    ...(options.clientID !== undefined && { clientID: options.clientID }),
  });
};
