import type { SQSClient } from "@aws-sdk/client-sqs";
import type { BrokerId } from "../core/ids.ts";
import { legalJson } from "../core/message/text.ts";
import type { Events, HandOverAnswer, OutgoingEvent } from "../core/ports.ts";
import { type Outgoing, sendToQueue } from "./sends.ts";
import { queueAt, type Whereabouts } from "./whereabouts.ts";

export interface EventsOptions {
  readonly whereabouts: () => Promise<Whereabouts>;
  readonly sqs: SQSClient;
  /** One attempt and 3 s for each call. */
  readonly peerSqs: (region: string) => SQSClient;
}

const repetitions = 2;

/** A control event's message: its JSON. */
export const toEventMessage = ({ event, delaySeconds }: OutgoingEvent): Outgoing => ({
  wire: { body: legalJson(event), attributes: {} },
  ...(delaySeconds !== undefined && { delaySeconds }),
});

/** Control queues. Our own go first: what throws there leaves no peer half told. */
export const sqsEvents = ({ whereabouts, sqs, peerSqs }: EventsOptions): Events => ({
  send: async (events) => {
    const { own, brokerOf } = await whereabouts();

    const tell = async (to: BrokerId, messages: readonly Outgoing[]): Promise<readonly HandOverAnswer[]> => {
      const at = brokerOf(to);
      if (!at) return messages.map(() => ({ answer: "refused", cause: "missing", why: `no broker ${to} in the configuration` }));
      const { url, region } = queueAt(at, at.controlQueue);
      if (at !== own) return sendToQueue(peerSqs(region), url, messages);
      return sendToQueue(sqs, url, messages, { repetitions }); // an event that comes twice is harmless, a failed one repeats all that led to it
    };

    const mine = events.filter(({ to }) => to === own.place.id);
    const failed = (await tell(own.place.id, mine.map(toEventMessage))).find(({ answer }) => answer !== "accepted");
    if (failed && failed.answer !== "accepted") {
      throw new Error(`control queue ${own.controlQueue} didn't take an event (${failed.why}): the event at hand comes again`);
    }

    const theirs = Map.groupBy(
      events.filter(({ to }) => to !== own.place.id),
      ({ to }) => to,
    );
    const answers = await Promise.all([...theirs].map(([to, forPeer]) => tell(to, forPeer.map(toEventMessage))));
    return { dropped: answers.flat().filter(({ answer }) => answer !== "accepted").length };
  },
});
