import type { SQSRecord } from "aws-lambda";
import type { Input } from "../../support/hostile/call.ts";
import { call, changeVisibility, isBatch, placeOf } from "./sqs-by-hand.ts";

export interface DeadLetters {
  /** SQS gives up on those of a batch that are chosen, as when their receives are spent. */
  giveUp(event: unknown, isChosen: (record: SQSRecord) => boolean): void;
  /** As a plain move task: what was given up goes back where it came from, as new messages. */
  moveBack(): Promise<void>;
}

type Message = Pick<Input, "MessageBody" | "MessageAttributes">;
interface GivenUp {
  /** Its id until it was given up. */
  readonly id: string;
  readonly source: string;
  readonly deadLetters: string;
  readonly message: Message;
}

/** A minute: nobody else receives it while it is moved. */
const held = 60;

/** `address`: where SQS is, past the layer. `moved`: a message stands in this queue again, which had that id before. */
export const deadLetters = (address: () => string, moved: (source: string, message: Message, id: string) => void): DeadLetters => {
  const givenUp: GivenUp[] = [];
  let underWay: Promise<unknown> = Promise.resolve();

  const bury = async (record: SQSRecord): Promise<void> => {
    const { eventSourceARN: source, receiptHandle: ReceiptHandle } = record;
    if (!(await changeVisibility(address(), record, held))) return;
    const one = {
      id: record.messageId,
      source,
      deadLetters: source.replace(/(spanmq-[a-z0-9]+-[a-z0-9]+)-.*/, "$1-sys-dead-letters"),
      message: messageOf(record),
    };
    await call(address(), "DeleteMessage", placeOf(source), { ReceiptHandle });
    await call(address(), "SendMessage", placeOf(one.deadLetters), one.message);
    givenUp.push(one);
  };

  const moveFrom = async (queue: string): Promise<void> => {
    const { body } = await call(address(), "ReceiveMessage", placeOf(queue), { MaxNumberOfMessages: 10, VisibilityTimeout: held });
    for (const { Body, ReceiptHandle } of JSON.parse(body).Messages ?? []) {
      const index = givenUp.findIndex((one) => one.deadLetters === queue && one.message.MessageBody === Body);
      const [found] = index < 0 ? [] : givenUp.splice(index, 1);
      if (!found) continue;
      moved(found.source, found.message, found.id);
      await call(address(), "SendMessage", placeOf(found.source), found.message);
      await call(address(), "DeleteMessage", placeOf(queue), { ReceiptHandle });
    }
  };

  return {
    giveUp: (event, isChosen) => {
      if (!isBatch(event)) return;
      underWay = Promise.all([underWay, ...event.Records.filter(isChosen).map(bury)]);
    },
    moveBack: async () => {
      await underWay;
      for (const queue of new Set(givenUp.map((one) => one.deadLetters))) await moveFrom(queue);
    },
  };
};

const messageOf = ({ body, messageAttributes }: SQSRecord): Message => ({
  MessageBody: body,
  MessageAttributes: Object.fromEntries(
    Object.entries(messageAttributes).map(([name, { dataType: DataType, stringValue: StringValue, binaryValue: BinaryValue }]) => [
      name,
      { DataType, ...(StringValue !== undefined && { StringValue }), ...(BinaryValue !== undefined && { BinaryValue }) },
    ]),
  ),
});
