import type { Context } from "aws-lambda";
import { dynamoIn, lambdaIn, oneAttempt } from "../aws/clients.ts";
import { dynamoTableIdentity } from "../aws/counters.ts";
import { sqsDepths } from "../aws/depths.ts";
import { snsForeignSubscriptions } from "../aws/foreign-subscriptions.ts";
import { lambdaPasses } from "../aws/passes.ts";
import { dynamoPeerDemand } from "../aws/peer-demand.ts";
import { sqsProbes } from "../aws/probes.ts";
import { awsResources } from "../aws/resources.ts";
import type { Environment } from "../aws/setup.ts";
import { awsTargets } from "../aws/targets.ts";
import { sqsReturns } from "../aws/visibility.ts";
import { controlHandler } from "./control.ts";
import { readEnvironment } from "./environment.ts";
import { lazily } from "./lazily.ts";
import { observer, powertools } from "./observe.ts";
import { wire } from "./wiring.ts";

export const create = async (env: Environment) => {
  const deployed = readEnvironment(env);
  const { setup, network, broker, own } = deployed;
  const wired = await wire(deployed);
  const { whereabouts, sqs, sns, dynamo, peerSqs } = wired;
  const ports = {
    ...wired,
    table: dynamoTableIdentity(dynamo, own.brainTable),
    peers: dynamoPeerDemand(whereabouts, dynamoIn(setup, oneAttempt)),
    probes: sqsProbes(whereabouts, peerSqs),
    resources: awsResources({ whereabouts, network, sqs, sns }),
    foreign: snsForeignSubscriptions({ whereabouts, sns }),
    depths: sqsDepths(whereabouts, sqs),
    passes: lambdaPasses(lambdaIn(setup)(own.place.region), own.dispatchRole),
    targets: awsTargets({ whereabouts, sqs, sns, peerSqs }),
    returns: sqsReturns(sqs),
    longest: deployed.timeoutSeconds * 1_000,
    clock: Date.now,
  };
  return controlHandler(ports, observer(powertools(broker, "spanmq-control")));
};

const made = lazily(() => create(process.env));
export const handler = async (event: never, context: Context) => (await made())(event, context);
