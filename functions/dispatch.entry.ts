import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import { dynamoAudit } from "../aws/audit.ts";
import { cachedLoads } from "../aws/cached-loads.ts";
import { cachedViews } from "../aws/cached-views.ts";
import { sqsDepths } from "../aws/depths.ts";
import { sqsRestingQueue } from "../aws/resting-queue.ts";
import type { Environment } from "../aws/setup.ts";
import { awsTargets } from "../aws/targets.ts";
import { sqsReturns } from "../aws/visibility.ts";
import type { Plan } from "../core/routing/plan.ts";
import { dispatchHandler } from "./dispatch.ts";
import { doorFinder } from "./doors.ts";
import { readEnvironment } from "./environment.ts";
import { lazily } from "./lazily.ts";
import { observer, powertools } from "./observe.ts";
import { wire } from "./wiring.ts";

export const create = async (env: Environment) => {
  const deployed = readEnvironment(env);
  const wired = await wire(deployed);
  const { whereabouts, sqs, sns, dynamo, peerSqs, views } = wired;
  const ports = {
    ...wired,
    audit: dynamoAudit<Plan>({ dynamo, table: deployed.own.auditTable }),
    newAttempt: randomUUID,
    longest: deployed.timeoutSeconds * 1_000,
    targets: awsTargets({ whereabouts, sqs, sns, peerSqs }),
    loads: cachedLoads(sqsDepths(whereabouts, sqs), Date.now),
    resting: sqsRestingQueue({ whereabouts, sqs, visibilitySeconds: 2 * deployed.timeoutSeconds }),
    returns: sqsReturns(sqs),
    freshViews: cachedViews(wired.brain, Date.now, 0),
    doorOf: doorFinder(views, whereabouts),
  };
  return dispatchHandler(ports, observer(powertools(deployed.broker, "spanmq-dispatch")), Date.now);
};

const made = lazily(() => create(process.env));
export const handler = async (event: never, context: Context) => (await made())(event, context);
