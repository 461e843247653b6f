import { setTimeout as wait } from "node:timers/promises";
import { DeleteMessageBatchCommand, GetQueueUrlCommand, type Message, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { comesAgain } from "./batch-response.ts";
import { sqsEvent } from "./sqs-event.ts";

/** One event source mapping: a queue that feeds a function. */
export interface EventSource {
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** ReportBatchItemFailures is set. Without it an answer, whatever it says, is success. */
  readonly reportsFailures: boolean;
  /** Batches at work at one time. */
  readonly concurrency: number;
}

export interface DeclaredSource extends EventSource {
  /** Whether it runs from the start. */
  readonly enabled: boolean;
}

export interface EventSourceDependencies {
  readonly sqs: SQSClient;
  readonly invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  /** The queue couldn't be read or written; the source tries again a second later. */
  readonly onFault: (source: EventSource, error: unknown) => void;
}

export interface RunningEventSource {
  /** Takes nothing new once its polls have ended, as Lambda's switch does: within twenty seconds. */
  end(): void;
  /** Ends long polls at once and waits for batches at work. */
  stop(): Promise<void>;
}

/**
 * Lambda's poller. What isn't deleted comes again by the queue's own visibility timeout, receive count and dead letters.
 * Crash window, as on AWS: the function succeeded and the delete failed: the batch comes again.
 */
export const startEventSource = (source: EventSource, dependencies: EventSourceDependencies): RunningEventSource => {
  const stopping = new AbortController();
  const ending = new AbortController();
  const workers = Array.from({ length: source.concurrency }, () => work(source, dependencies, stopping.signal, ending.signal));
  return {
    end: () => ending.abort(),
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
};

const work = async (
  source: EventSource,
  dependencies: EventSourceDependencies,
  signal: AbortSignal,
  ending: AbortSignal,
): Promise<void> => {
  const isOver = () => signal.aborted || ending.aborted;
  while (!isOver()) {
    try {
      const url = await queueUrl(source, dependencies.sqs);
      while (!isOver()) await handleBatch(source, dependencies, url, signal);
    } catch (error) {
      if (signal.aborted) return;
      dependencies.onFault(source, error);
      await wait(1_000, undefined, { signal }).catch(() => {});
    }
  }
};

const queueUrl = async ({ queueArn }: EventSource, sqs: SQSClient): Promise<string> => {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queueArn.split(":").at(-1) }));
  return QueueUrl ?? "";
};

const handleBatch = async (
  source: EventSource,
  { sqs, invoke }: EventSourceDependencies,
  url: string,
  signal: AbortSignal,
): Promise<void> => {
  const messages = await collect(source, sqs, url, signal);
  if (messages.length === 0) return;
  const ids = messages.map(({ MessageId = "" }) => MessageId);
  const failed = await invoke(source.functionArn, sqsEvent(messages, source.queueArn)).then(
    (response) => (source.reportsFailures ? comesAgain(response, ids) : new Set()),
    () => new Set(ids),
  );
  await remove(
    sqs,
    url,
    messages.filter(({ MessageId = "" }) => !failed.has(MessageId)),
  );
};

/** A first message is waited for; then the batch fills until it is full or its window ends (to the second, as long polls go). */
const collect = async (source: EventSource, sqs: SQSClient, url: string, signal: AbortSignal): Promise<readonly Message[]> => {
  const messages = await receive(sqs, url, source.batchSize, 20, signal);
  const windowEnd = Date.now() + 1_000 * source.windowSeconds;
  while (messages.length > 0 && messages.length < source.batchSize && Date.now() < windowEnd) {
    const secondsLeft = Math.ceil((windowEnd - Date.now()) / 1_000);
    messages.push(...(await receive(sqs, url, source.batchSize - messages.length, Math.min(20, secondsLeft), signal)));
  }
  return messages;
};

const receive = async (sqs: SQSClient, url: string, atMost: number, seconds: number, signal: AbortSignal): Promise<Message[]> => {
  const command = new ReceiveMessageCommand({
    QueueUrl: url,
    MaxNumberOfMessages: Math.min(10, atMost),
    WaitTimeSeconds: seconds,
    MessageSystemAttributeNames: ["All"],
    MessageAttributeNames: ["All"],
  });
  const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
  return Messages;
};

const remove = async (sqs: SQSClient, url: string, messages: readonly Message[]): Promise<void> => {
  for (let start = 0; start < messages.length; start += 10) {
    const entries = messages.slice(start, start + 10).map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }));
  }
};
