import { dynamoBrain } from "../aws/brain.ts";
import { cachedViews } from "../aws/cached-views.ts";
import { dynamoIn, oneAttempt, patient, snsIn, sqsIn, ssmIn } from "../aws/clients.ts";
import { dynamoCounters } from "../aws/counters.ts";
import { sqsEvents } from "../aws/events.ts";
import { sha256, signerFrom, verifierOf } from "../aws/keys.ts";
import { snsSubscriptions } from "../aws/subscriptions.ts";
import { whereaboutsFrom } from "../aws/whereabouts.ts";
import type { Identity } from "../core/broker/identity.ts";
import type { Deployed } from "./environment.ts";

/** What dispatch and control have in common: the brain, who we are, where everything stands, and the way to control queues. */
export const wire = async ({ setup, broker, own }: Deployed) => {
  const { region } = own.place;
  const [sqs, sns, dynamo] = [sqsIn(setup)(region), snsIn(setup)(region), dynamoIn(setup)(region)];
  const [peerSqs, peerSns] = [sqsIn(setup, oneAttempt), snsIn(setup, oneAttempt)];
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
