import type { SNSClient } from "@aws-sdk/client-sns";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { HandOver, HandOverAnswer, Targets } from "../core/ports.ts";
import { publishToTopic, sendToQueue } from "./sends.ts";
import type { Place, Whereabouts } from "./whereabouts.ts";

export interface TargetsOptions {
  readonly whereabouts: () => Promise<Whereabouts>;
  /** Clients of the own region. */
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
  /** One attempt and 3 s for each call: an SDK retry would hide that an earlier attempt got no answer. */
  readonly peerSqs: (region: string) => SQSClient;
}

/** Hand-overs that share a place. `at` tells where their answers belong. */
interface Group {
  readonly place: Place;
  readonly isRemote: boolean;
  readonly handOvers: HandOver[];
  readonly at: number[];
}

/** Queues and topics as targets: grouped by place, local places first, so that a slow peer holds nobody up. */
export const awsTargets = ({ whereabouts, sqs, sns, peerSqs }: TargetsOptions): Targets => {
  const send = ({ place, isRemote, handOvers }: Group) => {
    if (place.service === "sns") return publishToTopic(sns, place.arn, handOvers);
    return sendToQueue(isRemote ? peerSqs(place.region) : sqs, place.url, handOvers);
  };

  return {
    handOver: async (handOvers) => {
      const answers: HandOverAnswer[] = handOvers.map(() => ({
        answer: "refused",
        cause: "missing",
        why: "the configuration has no such link",
      }));
      const groups = groupByPlace(handOvers, await whereabouts());
      const deliver = async (group: Group) => {
        const received = await send(group);
        group.at.forEach((index, i) => {
          answers[index] = received[i] ?? { answer: "silent", why: "no answer" };
        });
      };
      await Promise.all(groups.filter(({ isRemote }) => !isRemote).map(deliver));
      await Promise.all(groups.filter(({ isRemote }) => isRemote).map(deliver));
      return answers;
    },
  };
};

const groupByPlace = (handOvers: readonly HandOver[], whereabouts: Whereabouts): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const [index, handOver] of handOvers.entries()) {
    const place = whereabouts.target(handOver.target);
    if (!place) continue;
    const group = groups.get(place.arn) ?? { place, isRemote: handOver.target.to === "link", handOvers: [], at: [] };
    group.handOvers.push(handOver);
    group.at.push(index);
    groups.set(place.arn, group);
  }
  return [...groups.values()];
};
