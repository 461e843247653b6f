import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { PublishCommand } from "@aws-sdk/client-sns";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { saysMissing } from "../aws/answers.ts";
import { sha256 } from "../aws/keys.ts";
import { queueAt } from "../aws/whereabouts.ts";
import { toAttributes, wireBytes } from "../aws/wire.ts";
import { mayComeToBe, mayCreate } from "../core/broker/creatable.ts";
import { isComposite, partsOf } from "../core/destination/composite.ts";
import { type Destination, type DestinationKey, destinationKey } from "../core/destination/destination.ts";
import { isFifo } from "../core/destination/fifo.ts";
import { encodeProducer, encodePublish, type ProducerMessage } from "../core/message/encode.ts";
import { groupOf, sharedGroupOf } from "../core/message/group.ts";
import type { WireMessage } from "../core/message/message.ts";
import type { Events } from "../core/ports.ts";
import type { Connection, Ground } from "./connection.ts";
import { SpanMqError } from "./options.ts";
import { destinationFrom, keepsOrder, outgoing } from "./outgoing.ts";

/**
 * 8 KiB under what queues (1 MiB) and topics (248 KiB, as they are made) take are left for the header that a broker adds to a forwarded
 * copy: too large is refused here, not in the middle.
 */
const largest = { queue: (1_024 - 8) * 1_024, topic: (248 - 8) * 1_024 };
const untilATopicIsMade = 60_000;
const lookAgain = 500;

/**
 * The sending half of a connection. The SDK repeats a call that got no answer: that may be a second message, as with any producer, but not
 * at a FIFO destination.
 */
export const producerOn = ({ id, slice, where, brain, sqs, sns }: Ground, events: Events): Pick<Connection, "send" | "publish"> => {
  /** To dispatch, which routes queues, and sends to each part of a composite. What keeps order has a door of its own. */
  const toIngress = async (message: ProducerMessage): Promise<string> => {
    const { destination } = message;
    const wire = fitting(encodeProducer(message), partsOf(destination).some(({ kind }) => kind === "topic") ? "topic" : "queue");
    const { ingressQueue, ingressFifoQueue } = where.own;
    const isOrdered = keepsOrder(destination);
    const unmade = partsOf(destination).find((part) => isFifo(part) && !mayComeToBe(slice, part));
    if (unmade) throw new SpanMqError(undeclared(unmade));
    const command = new SendMessageCommand({
      QueueUrl: queueAt(where.own, isOrdered ? ingressFifoQueue : ingressQueue).url,
      MessageBody: wire.body,
      MessageAttributes: toAttributes(wire.attributes),
      ...(isOrdered ? inOrder(sharedGroupOf(message, sha256)) : fairly(destinationKey(destination))),
    });
    const { MessageId = "" } = await sqs.send(command);
    return MessageId;
  };

  const publishOnce = async (message: ProducerMessage, wire: WireMessage): Promise<string> => {
    const command = new PublishCommand({
      TopicArn: where.topicOf(message.destination).arn,
      Message: wire.body,
      MessageAttributes: toAttributes(wire.attributes),
      ...(keepsOrder(message.destination) && inOrder(groupOf(message, sha256))),
    });
    return (await sns.send(command)).MessageId ?? "";
  };

  const undeclared = (destination: Destination): string =>
    `broker ${slice.broker} has no ${destinationKey(destination)}: a FIFO destination isn't made on first use, declare it in "${destination.kind}s"`;

  /** The first publisher of a topic that isn't declared waits for control to make it and for its subscriptions to be effective. */
  const madeByControl = async (topic: Destination): Promise<void> => {
    const key = destinationKey(topic);
    if (keepsOrder(topic)) throw new SpanMqError(undeclared(topic));
    if (!mayCreate(slice, topic)) {
      throw new SpanMqError(
        `no ${key} on broker ${slice.broker}, and it isn't made on first use: declare it in "topics", or let autoCreateDestinations match it`,
      );
    }
    await events.send([{ to: slice.broker, event: { event: "create", destination: key } }]);
    const until = Date.now() + untilATopicIsMade;
    for (;;) {
      const view = await brain.read("view", "", key);
      if (view && view.value.readyAt <= Date.now()) return;
      if (Date.now() >= until)
        throw new SpanMqError(`${key} wasn't made within a minute: is control of broker ${slice.broker} running? See its log`);
      await pause(lookAgain);
    }
  };

  return {
    send: async (queue, body, options = {}) => toIngress(outgoing(destinationFrom(queue, "queue"), body, options, Date.now())),
    publish: async (text, body, options = {}) => {
      const topic = destinationFrom(text, "topic");
      const message = { ...outgoing(topic, body, options, Date.now()), connection: id };
      if (isComposite(topic)) return toIngress(message);
      const wire = fitting(encodePublish(message), "topic");
      try {
        return await publishOnce(message, wire);
      } catch (error) {
        if (!saysMissing(error)) throw error;
        await madeByControl(topic);
        return publishOnce(message, wire);
      }
    },
  };
};

const fitting = (wire: WireMessage, kind: "queue" | "topic"): WireMessage => {
  const bytes = wireBytes(wire);
  if (bytes > largest[kind])
    throw new SpanMqError(
      `the message has ${bytes} bytes with its header, a ${kind} takes ${largest[kind]}: send a reference to the data instead`,
    );
  return wire;
};

/** What tells a repetition of the SDK's from a second message is new for each send. */
const inOrder = (group: string) => ({ MessageGroupId: group, MessageDeduplicationId: randomUUID() });

/** Fair queues: one busy destination doesn't hold up the others. */
const fairly = (key: DestinationKey): { MessageGroupId?: string } => (/^[!-~]{1,128}$/.test(key) ? { MessageGroupId: key } : {});
