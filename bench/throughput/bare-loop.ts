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
  stop(): Promise<void>;
}

export interface BareChainOptions {
  readonly name: string;
  /** From one queue to the next; the last is in the other region. */
  readonly hops: number;
  /** A conditional put before the send and an update after it, for each message. */
  readonly isAudited: boolean;
}

/** As many at once for each hop as an embedded event source. */
const workersPerHop = 2;

/** Moves messages along as plainly as can be: receive ten, send ten, delete ten. */
export const startBareChain = async ({ a, b }: World, { name, hops, isAudited }: BareChainOptions): Promise<BareChain> => {
  const first = await plainQueue(a, `bench-bare-${name}-0`);
  const audit = isAudited ? await plainAudit(a, `bench-bare-${name}`) : undefined;
  const stopping = new AbortController();
  const workers: Promise<void>[] = [];
  let last = first;
  for (let hop = 1; hop <= hops; hop += 1) {
    const [from, to] = [last, await plainQueue(b, `bench-bare-${name}-${hop}`)];
    const moving = { from, to, ...(audit && { audit: audit(`hop ${hop}`) }) };
    for (let worker = 0; worker < workersPerHop; worker += 1) workers.push(work(moving, stopping.signal));
    last = to;
  }
  return {
    first,
    last,
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
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
  readonly audit?: PlainAudit;
}

const work = async (hop: Hop, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await moveTen(hop, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
};

const moveTen = async ({ from, to, audit }: Hop, signal: AbortSignal): Promise<void> => {
  const messages = await receiveTen(from, signal);
  if (messages.length === 0) return;
  const ids = messages.map(({ MessageId = "" }) => MessageId);
  await audit?.claim(ids);
  const sends = messages.map(({ Body, MessageAttributes }, i) => ({ Id: String(i), MessageBody: Body, MessageAttributes }));
  await to.sqs.send(new SendMessageBatchCommand({ QueueUrl: to.url, Entries: sends }));
  await audit?.settle(ids);
  const deletes = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
  await from.sqs.send(new DeleteMessageBatchCommand({ QueueUrl: from.url, Entries: deletes }));
};

const receiveTen = async (from: QueueAt, signal: AbortSignal): Promise<readonly Message[]> => {
  const poll = new ReceiveMessageCommand({
    QueueUrl: from.url,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 20,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["All"],
  });
  const { Messages = [] } = await from.sqs.send(poll, { abortSignal: signal });
  return Messages;
};
