import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import { dynamoAudit } from "../aws/audit.ts";
import { dynamoBrain } from "../aws/brain.ts";
import { sqsParked, sqsRetryOrders, sqsTakenFrom } from "../aws/bridge-queues.ts";
import { awsBridgeTargets } from "../aws/bridge-targets.ts";
import { cachedViews } from "../aws/cached-views.ts";
import { dynamoIn, lambdaIn, snsIn, sqsIn, ssmIn } from "../aws/clients.ts";
import { lambdaEventSource } from "../aws/event-source.ts";
import { sha256, signerFrom, verifierOf } from "../aws/keys.ts";
import { placeOfArn, queueOfArn } from "../aws/place-of-arn.ts";
import type { Environment } from "../aws/setup.ts";
import { sqsReturns } from "../aws/visibility.ts";
import { destinationOf } from "../core/destination/destination.ts";
import { brokerId } from "../core/ids.ts";
import { encodeBridged, type Sender } from "../core/message/encode.ts";
import { type DeployedBridge, readBridgeEnvironment } from "./bridge-environment.ts";
import { lazily } from "./lazily.ts";
import { powertools } from "./observe.ts";
import { transferObserver } from "./observe-transfer.ts";
import { remoteLimits } from "./reserve.ts";
import { type TransferPorts, transferHandler } from "./transfer.ts";

/** A bridge of nobody's signs nothing and believes no signature. */
const nobody = brokerId("none");

export const create = async (env: Environment) => {
  const deployed = readBridgeEnvironment(env);
  const { setup, bridge, broker, source, timeoutSeconds, ordersArn } = deployed;
  const [target, undelivered] = [placeOfArn(deployed.target.arn), queueOfArn(deployed.undeliveredArn)];
  const { region } = undelivered;
  const [sqs, dynamo] = [sqsIn(setup)(region), dynamoIn(setup)(region)];
  const longest = 1_000 * timeoutSeconds;
  const remote = remoteLimits({ longest });
  const sender = await senderOf(deployed, region);
  const ports: TransferPorts = {
    bridge,
    hash: sha256,
    encode: (messages) => encodeBridged(messages, deployed.target.ingress ? "ingress" : "place", sender),
    targets: awsBridgeTargets({
      target,
      undelivered,
      deadLetters: queueOfArn(deployed.deadLettersArn),
      sqs,
      targetSqs: sqsIn(setup, remote)(target.region),
      targetSns: snsIn(setup, remote)(target.region),
    }),
    audit: dynamoAudit({ dynamo, table: deployed.auditTable }),
    sourceQueue: sqsTakenFrom(sqs, queueOfArn(source.queueArn).url),
    parked: sqsParked(sqs, undelivered.url, 2 * timeoutSeconds),
    eventSource: lambdaEventSource({ lambda: lambdaIn(setup)(region), functionName: deployed.functionName, queueArn: source.queueArn }),
    orders: sqsRetryOrders(sqs, queueOfArn(ordersArn).url),
    newAttempt: randomUUID,
    longest,
    sourceNow: sourceReader(deployed, broker && cachedViews(dynamoBrain({ dynamo, table: broker.brainTable, now: Date.now }), Date.now)),
    returns: sqsReturns(sqs),
    ordersArn,
  };
  return transferHandler(ports, transferObserver(powertools(sender?.broker ?? nobody, "spanmq-transfer")), Date.now);
};

const senderOf = async ({ setup, broker }: DeployedBridge, region: string): Promise<Sender | undefined> =>
  broker && { broker: brokerId(broker.id), signer: await signerFrom(ssmIn(setup)(region), broker.keyParameter), hash: sha256 };

const sourceReader = (
  { source: { destination, topicArn }, broker }: DeployedBridge,
  views: ReturnType<typeof cachedViews> | undefined,
): TransferPorts["sourceNow"] => {
  const known = destinationOf(destination);
  const topicOf = topicArn && ((arn: string) => (arn === topicArn ? known : undefined));
  return async () => ({
    self: broker ? brokerId(broker.id) : nobody,
    hash: sha256,
    verify: verifierOf((await views?.broker())?.keys ?? []),
    destination: known,
    ...(topicOf && { topicOf }),
  });
};

const made = lazily(() => create(process.env));
export const handler = async (event: never, context: Context) => (await made())(event, context);
