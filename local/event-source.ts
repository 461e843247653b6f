import { setTimeout as wait } from "node:timers/promises";
import { comesAgain } from "./batch-response.ts";
import { type PolledMessage, type PolledQueue, polledQueue } from "./polled-queue.ts";
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
  /** Where SQS listens. */
  readonly endpoint: string;
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
export const startEventSource = (source: EventSource, { endpoint, invoke, onFault }: EventSourceDependencies): RunningEventSource => {
  const stopping = new AbortController();
  const ending = new AbortController();
  const queue = polledQueue(endpoint, source.queueArn);
  const isOver = () => stopping.signal.aborted || ending.signal.aborted;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      try {
        await handleBatch(source, queue, invoke, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        onFault(source, error);
        await wait(1_000, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  const workers = Array.from({ length: source.concurrency }, work);
  return {
    end: () => ending.abort(),
    async stop() {
      stopping.abort();
      await Promise.all(workers);
      queue.close();
    },
  };
};

const handleBatch = async (
  source: EventSource,
  queue: PolledQueue,
  invoke: EventSourceDependencies["invoke"],
  signal: AbortSignal,
): Promise<void> => {
  const messages = await collect(source, queue, signal);
  if (messages.length === 0) return;
  const ids = messages.map(({ MessageId }) => MessageId);
  const failed = await invoke(source.functionArn, sqsEvent(messages, source.queueArn)).then(
    (response) => (source.reportsFailures ? comesAgain(response, ids) : new Set()),
    () => new Set(ids),
  );
  const done = messages.filter(({ MessageId }) => !failed.has(MessageId));
  for (let start = 0; start < done.length; start += 10) await queue.remove(done.slice(start, start + 10));
};

/** A first message is waited for; then the batch fills until it is full or its window ends (to the second, as long polls go). */
const collect = async (source: EventSource, queue: PolledQueue, signal: AbortSignal): Promise<readonly PolledMessage[]> => {
  const messages = [...(await queue.receive(source.batchSize, 20, signal))];
  const windowEnd = Date.now() + 1_000 * source.windowSeconds;
  while (messages.length > 0 && messages.length < source.batchSize && Date.now() < windowEnd) {
    const secondsLeft = Math.ceil((windowEnd - Date.now()) / 1_000);
    messages.push(...(await queue.receive(source.batchSize - messages.length, Math.min(20, secondsLeft), signal)));
  }
  return messages;
};
