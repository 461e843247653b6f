import { CreateTableCommand, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import type { Side, World } from "../world/network.ts";
import type { QueueAt } from "../world/queues.ts";

/** Plain queues in a row, and nothing between them but the SDK. */
export interface BareChain {
  readonly first: QueueAt;
  readonly last: QueueAt;
  /** Moves so many from the first to the last, hop after hop. */
  move(messages: number): Promise<void>;
}

export interface BareChainOptions {
  readonly name: string;
  /** From one queue to the next; all but the first are in the other region. */
  readonly hops: number;
  /** Of each message that it sends: those that one of ours arrived with, so that both carry the same bytes. */
  readonly attributes: Message["MessageAttributes"];
  /** A conditional put before the send and an update after it, for each message. */
  readonly isAudited: boolean;
}

export const makeBareChain = async ({ a, b }: World, { name, hops, attributes, isAudited }: BareChainOptions): Promise<BareChain> => {
  const first = await plainQueue(a, `bench-bare-${name}-0`);
  const audit = isAudited ? await plainAudit(a, `bench-bare-${name}`) : undefined;
  const moves: Hop[] = [];
  let last = first;
  for (let hop = 1; hop <= hops; hop += 1) {
    const to = await plainQueue(b, `bench-bare-${name}-${hop}`);
    moves.push({ from: last, to, attributes, ...(audit && { audit: audit(`hop ${hop}`) }) });
    last = to;
  }
  return {
    first,
    last,
    async move(messages) {
      for (const hop of moves) await moveAll(hop, messages);
    },
  };
};

/** As many at once as an embedded event source. */
const workersPerHop = 2;

/** As plainly as can be: receive ten, send ten, delete ten. Nobody polls for what another has received: no poll is left behind. */
const moveAll = async (hop: Hop, messages: number): Promise<void> => {
  let unclaimed = messages;
  const work = async (): Promise<void> => {
    while (unclaimed > 0) {
      unclaimed -= 10;
      const moved = await moveTen(hop);
      unclaimed += 10 - moved;
    }
  };
  await Promise.all(Array.from({ length: workersPerHop }, work));
};

const plainQueue = async ({ at, clients: { sqs } }: Side, name: string): Promise<QueueAt> => {
  await sqs.send(new CreateQueueCommand({ QueueName: name }));
  return { sqs, url: at.queueUrl(name) };
};

interface PlainAudit {
  claim(ids: readonly string[]): Promise<unknown>;
  settle(ids: readonly string[]): Promise<unknown>;
}

/** The least that remembers a message by its id, one item for each hop. */
const plainAudit = async ({ clients: { dynamodb } }: Side, table: string): Promise<(hop: string) => PlainAudit> => {
  await dynamodb.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    }),
  );
  const claim = (id: string) =>
    dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: { id: { S: id }, state: { S: "claimed" } },
        ConditionExpression: "attribute_not_exists(id)",
      }),
    );
  const settle = (id: string) =>
    dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { id: { S: id } },
        UpdateExpression: "SET #state = :done",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":done": { S: "done" } },
      }),
    );
  return (hop) => ({
    claim: (ids) => Promise.all(ids.map((id) => claim(`${hop} ${id}`))),
    settle: (ids) => Promise.all(ids.map((id) => settle(`${hop} ${id}`))),
  });
};

interface Hop {
  readonly from: QueueAt;
  readonly to: QueueAt;
  readonly attributes: BareChainOptions["attributes"];
  readonly audit?: PlainAudit;
}

/** Answers how many. */
const moveTen = async ({ from, to, attributes, audit }: Hop): Promise<number> => {
  const messages = await receiveTen(from);
  if (messages.length === 0) return 0;
  const ids = messages.map(({ MessageId = "" }) => MessageId);
  await audit?.claim(ids);
  const sends = messages.map(({ Body }, i) => ({ Id: String(i), MessageBody: Body, MessageAttributes: attributes }));
  await to.sqs.send(new SendMessageBatchCommand({ QueueUrl: to.url, Entries: sends }));
  await audit?.settle(ids);
  const deletes = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
  await from.sqs.send(new DeleteMessageBatchCommand({ QueueUrl: from.url, Entries: deletes }));
  return messages.length;
};

/** Up to ten, with all that they carry. */
export const receiveTen = async (from: QueueAt): Promise<readonly Message[]> => {
  const poll = new ReceiveMessageCommand({
    QueueUrl: from.url,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 20,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["All"],
  });
  const { Messages = [] } = await from.sqs.send(poll);
  return Messages;
};
