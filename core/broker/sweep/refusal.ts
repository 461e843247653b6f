import type { BrokerId } from "../../ids.ts";
import type { Left } from "./left.ts";
import type { Undrained } from "./sweep.ts";

/** What a refused destroy says. CloudFormation deploys nothing to a stack whose deletion failed: the policy has to be there before. */
export const refusedDestroy = (broker: BrokerId, left: readonly Left[]): string =>
  `broker ${broker} still holds messages, so nothing was deleted and it works on: ${listed(left)}. ` +
  "Consume, move or purge them and destroy again. " +
  `A broker that may go with its messages is deployed with "removalPolicy": "destroy" before it is destroyed.`;

/** What a refused deployment says; nothing where it may go on. */
export const refusedUpdate = (broker: BrokerId, { running, left }: Undrained): string | undefined => {
  if (running.length + left.length === 0) return undefined;
  const links = running.slice(0, namedAtMost).map(({ link, why }) => `link ${link} ${why}`);
  return (
    `this deployment of broker ${broker} would delete what isn't drained, so it is rolled back: ` +
    `${[...links, ...(left.length > 0 ? [listed(left)] : [])].join("; ")}. ` +
    'Remove a connector or a declared destination in two deployments: give it "removed": true (a connector on both of its brokers), ' +
    "wait until its messages are consumed, moved or purged and its link has stopped (some ten minutes), then take it out. " +
    "A JMS bridge goes in one: stop what sends to its source, wait until nothing is left there nor here, then take it out. " +
    `With "removalPolicy": "destroy" all of it is deleted.`
  );
};

/** CloudFormation shows a reason of some thousand characters. */
const namedAtMost = 20;

const listed = (left: readonly Left[]): string => {
  const named = left.slice(0, namedAtMost).map(({ queue, messages }) => `${queue} (${messages})`);
  const more = left.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more queues`] : [])].join(", ");
};
