import type { BrokerId } from "../../ids.ts";
import type { Left } from "./left.ts";

/** What a refused destroy says. CloudFormation deploys nothing to a stack whose deletion failed: the policy has to be there before. */
export const refusedDestroy = (broker: BrokerId, left: readonly Left[]): string =>
  `broker ${broker} still holds messages, so nothing was deleted and it works on: ${listed(left)}. ` +
  "Consume, move or purge them and destroy again. " +
  `A broker that may go with its messages is deployed with "removalPolicy": "destroy" before it is destroyed.`;

/** What a refused deployment says. */
export const refusedUpdate = (broker: BrokerId, left: readonly Left[]): string =>
  `this deployment of broker ${broker} would delete queues with messages in them, so it is rolled back: ${listed(left)}. ` +
  "Remove a queue or a connector in two deployments: leave it in the configuration until its messages are consumed, moved or purged, then take it out. " +
  `With "removalPolicy": "destroy" they are deleted.`;

/** CloudFormation shows a reason of some thousand characters. */
const namedAtMost = 20;

const listed = (left: readonly Left[]): string => {
  const named = left.slice(0, namedAtMost).map(({ queue, messages }) => `${queue} (${messages})`);
  const more = left.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more queues`] : [])].join(", ");
};
