import type { Context } from "aws-lambda";
import { dynamoBrain } from "../aws/brain.ts";
import { dynamoIn, oneAttempt, sqsIn, ssmIn } from "../aws/clients.ts";
import { sqsEvents } from "../aws/events.ts";
import { sha256 } from "../aws/keys.ts";
import type { Environment } from "../aws/setup.ts";
import { ssmSigningKey } from "../aws/signing-key.ts";
import { whereaboutsOf } from "../aws/whereabouts.ts";
import { deploymentHandler } from "./deployment.ts";
import { readEnvironment } from "./environment.ts";
import { lazily } from "./lazily.ts";

export const create = async (env: Environment) => {
  const { setup, network, broker, own } = readEnvironment(env);
  const { region } = own.place;
  // Before the first deployment the brain holds no configuration: our own place is all that is needed.
  const where = whereaboutsOf({ network, broker, brokers: [own.place], connectors: [] }, sha256);
  const events = sqsEvents({ whereabouts: async () => where, sqs: sqsIn(setup)(region), peerSqs: sqsIn(setup, oneAttempt) });
  const brain = dynamoBrain({ dynamo: dynamoIn(setup)(region), table: own.brainTable, now: Date.now });
  return deploymentHandler({ brain, events, key: ssmSigningKey(ssmIn(setup)(region), own.keyParameter) }, Date.now);
};

const made = lazily(() => create(process.env));
export const handler = async (event: never, context: Context) => (await made())(event, context);
