import { dynamoBrain } from "../aws/brain.ts";
import { cachedViews } from "../aws/cached-views.ts";
import { dynamoIn, patient, snsIn, sqsIn, ssmIn } from "../aws/clients.ts";
import { dynamoCounters } from "../aws/counters.ts";
import { sqsEvents } from "../aws/events.ts";
import { sha256, signerFrom, verifierOf } from "../aws/keys.ts";
import { snsSubscriptions } from "../aws/subscriptions.ts";
import { whereaboutsFrom } from "../aws/whereabouts.ts";
import type { Identity } from "../core/broker/identity.ts";
import type { Deployed } from "./environment.ts";
import { remoteLimits } from "./reserve.ts";

/** What dispatch and control have in common: the brain, who we are, where everything stands, and the way to control queues. */
export const wire = async ({ setup, broker, own, timeoutSeconds }: Deployed) => {
  const { region } = own.place;
  const [sqs, sns, dynamo] = [sqsIn(setup)(region), snsIn(setup)(region), dynamoIn(setup)(region)];
  const remote = remoteLimits({ longest: 1_000 * timeoutSeconds });
  const [peerSqs, peerSns] = [sqsIn(setup, remote), snsIn(setup, remote)];
  const brain = dynamoBrain({ dynamo, table: own.brainTable, now: Date.now });
  const views = cachedViews(brain, Date.now);
  const whereabouts = whereaboutsFrom(views, sha256);
  const identity: Identity = {
    self: broker,
    hash: sha256,
    signer: await signerFrom(ssmIn(setup, patient)(region), own.keyParameter),
    verifyWith: verifierOf,
  };
  return {
    sqs,
    sns,
    dynamo,
    peerSqs,
    whereabouts,
    identity,
    brain,
    views,
    counters: dynamoCounters(dynamo, own.brainTable),
    events: sqsEvents({ whereabouts, sqs, peerSqs }),
    subscriptions: snsSubscriptions({ whereabouts, sns, peerSns }),
  };
};
