import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import type { Side, World } from "../world/network.ts";
import type { QueueAt } from "../world/queues.ts";

/** Three plain queues where a link's ingress, inbound and queue are, and nothing between them but the SDK. */
export interface BareChain {
  readonly first: QueueAt;
  readonly last: QueueAt;
  stop(): Promise<void>;
}

/** As many at once as an embedded event source. */
const workersPerHop = 2;

/** Moves messages over two hops as plainly as can be: receive ten, send ten, delete ten. */
export const startBareChain = async ({ a, b }: World): Promise<BareChain> => {
  const [first, between, last] = [
    await plainQueue(a, "bench-first"),
    await plainQueue(b, "bench-between"),
    await plainQueue(b, "bench-last"),
  ];
  const stopping = new AbortController();
  const hops = [
    { from: first, to: between },
    { from: between, to: last },
  ];
  const workers = hops.flatMap((hop) => Array.from({ length: workersPerHop }, () => work(hop, stopping.signal)));
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

interface Hop {
  readonly from: QueueAt;
  readonly to: QueueAt;
}

const work = async (hop: Hop, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await moveTen(hop, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
};

const moveTen = async ({ from, to }: Hop, signal: AbortSignal): Promise<void> => {
  const poll = new ReceiveMessageCommand({
    QueueUrl: from.url,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 20,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["All"],
  });
  const { Messages = [] } = await from.sqs.send(poll, { abortSignal: signal });
  if (Messages.length === 0) return;
  const sends = Messages.map(({ Body, MessageAttributes }, i) => ({ Id: String(i), MessageBody: Body, MessageAttributes }));
  await to.sqs.send(new SendMessageBatchCommand({ QueueUrl: to.url, Entries: sends }));
  const deletes = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
  await from.sqs.send(new DeleteMessageBatchCommand({ QueueUrl: from.url, Entries: deletes }));
};
