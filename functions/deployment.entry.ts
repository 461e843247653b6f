import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "aws-lambda";
import { dynamoBrain } from "../aws/brain.ts";
import { dynamoIn, oneAttempt, snsIn, sqsIn, ssmIn, untiring } from "../aws/clients.ts";
import { sqsContents } from "../aws/contents.ts";
import { sqsEvents } from "../aws/events.ts";
import { sha256 } from "../aws/keys.ts";
import { awsMadeThings } from "../aws/made-things.ts";
import { dynamoProtection } from "../aws/protection.ts";
import type { Environment } from "../aws/setup.ts";
import { ssmSigningKey } from "../aws/signing-key.ts";
import { whereaboutsOf } from "../aws/whereabouts.ts";
import { deploymentHandler } from "./deployment.ts";
import { readDepthLag, readEnvironment } from "./environment.ts";
import { lazily } from "./lazily.ts";

export const create = async (env: Environment) => {
  const { setup, network, broker, brokers, own, timeoutSeconds } = readEnvironment(env);
  const { region } = own.place;
  // Before the first deployment the brain holds no configuration: the places of the brokers are all that is needed.
  const where = whereaboutsOf({ network, broker, brokers, connectors: [] }, sha256);
  const [sqs, sns, dynamo] = [sqsIn(setup, untiring)(region), snsIn(setup, untiring)(region), dynamoIn(setup)(region)];
  return deploymentHandler({
    own,
    brain: dynamoBrain({ dynamo, table: own.brainTable, now: Date.now }),
    events: sqsEvents({ whereabouts: async () => where, sqs, peerSqs: sqsIn(setup, oneAttempt) }),
    key: ssmSigningKey(ssmIn(setup)(region), own.keyParameter),
    made: awsMadeThings({ network, own, sqs, sns }),
    contents: sqsContents(own, sqs),
    protection: dynamoProtection(dynamo, [own.brainTable, own.auditTable]),
    depthLag: readDepthLag(env),
    longest: timeoutSeconds * 1_000,
    clock: Date.now,
    sleep: async (ms) => void (await sleep(ms)),
  });
};

const made = lazily(() => create(process.env));
export const handler = async (event: never, context: Context) => (await made())(event, context);
