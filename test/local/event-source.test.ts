import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Emulators, startEmulators } from "../../local/emulators.ts";
import { clientsFor, destroyClients } from "../../local/endpoints.ts";
import { type EventSource, type RunningEventSource, startEventSource } from "../../local/event-source.ts";
import { eventually } from "../support/eventually.ts";

const emulators: Emulators = await startEmulators();
const clients = clientsFor({ ...emulators, ssm: "", lambda: "" }, "eu-west-1");
const sqs: SQSClient = clients.sqs;
afterAll(async () => {
  destroyClients(clients);
  await emulators.stop();
});

let queues = 0;
let queue = "";
const urlOf = (name: string) => `http://sqs/000000000000/${name}`;
const arnOf = (name: string) => `arn:aws:sqs:eu-west-1:000000000000:${name}`;
const makeQueue = (QueueName: string, Attributes: Record<string, string> = {}) =>
  sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
beforeEach(() => {
  queues += 1;
  queue = `queue-${queues}`;
});

const send = (...bodies: string[]) =>
  sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: urlOf(queue),
      Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
    }),
  );
const left = async (name = queue) => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: urlOf(name), AttributeNames: ["All"] }));
  return Number(Attributes?.ApproximateNumberOfMessages) + Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
};
const bodies = (event: SQSEvent) => event.Records.map(({ body }) => body).sort();

/** Runs a source on the test's queue while `during` runs; answers the events its handler saw. */
const whileRunning = async (
  handler: (event: SQSEvent) => unknown,
  during: (events: readonly SQSEvent[]) => Promise<void>,
  settings: Partial<EventSource> = {},
): Promise<readonly SQSEvent[]> => {
  const events: SQSEvent[] = [];
  const faults: unknown[] = [];
  const source: EventSource = {
    queueArn: arnOf(queue),
    functionArn: "f",
    batchSize: 10,
    windowSeconds: 0,
    reportsFailures: true,
    concurrency: 2,
    ...settings,
  };
  const running: RunningEventSource = startEventSource(source, {
    endpoint: emulators.sqs,
    invoke: async (_, event) => {
      events.push(event as SQSEvent);
      return handler(event as SQSEvent);
    },
    onFault: (_, error) => faults.push(error),
  });
  try {
    await during(events);
  } finally {
    await running.stop();
  }
  expect(faults).toEqual([]);
  return events;
};

describe("an event source", () => {
  test("hands over records as Lambda shapes them, and deletes what succeeded", async () => {
    await makeQueue(queue);
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: urlOf(queue),
        MessageBody: "hello",
        MessageAttributes: {
          colour: { DataType: "String", StringValue: "red" },
          blob: { DataType: "Binary", BinaryValue: new Uint8Array([1, 2]) },
        },
      }),
    );
    const [event] = await whileRunning(
      () => undefined,
      () => eventually(() => left()).toBe(0),
    );
    expect(event?.Records).toEqual([
      {
        messageId: expect.stringMatching(/./),
        receiptHandle: expect.stringMatching(/./),
        body: "hello",
        md5OfBody: "5d41402abc4b2a76b9719d911017c592",
        md5OfMessageAttributes: expect.stringMatching(/./),
        attributes: {
          ApproximateReceiveCount: "1",
          SentTimestamp: expect.stringMatching(/^\d+$/),
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d+$/),
          SenderId: "000000000000",
        },
        messageAttributes: {
          colour: { stringValue: "red", stringListValues: [], binaryListValues: [], dataType: "String" },
          blob: { binaryValue: "AQI=", stringListValues: [], binaryListValues: [], dataType: "Binary" },
        },
        eventSource: "aws:sqs",
        eventSourceARN: arnOf(queue),
        awsRegion: "eu-west-1",
      },
    ]);
  });

  test("leaves what the function named, which comes again with a higher receive count", async () => {
    await makeQueue(queue, { VisibilityTimeout: "1" });
    await send("good", "bad");
    const events = await whileRunning(
      ({ Records }) => ({
        batchItemFailures: Records.filter(({ body, attributes }) => body === "bad" && attributes.ApproximateReceiveCount === "1").map(
          ({ messageId }) => ({ itemIdentifier: messageId }),
        ),
      }),
      () => eventually(() => left()).toBe(0),
    );
    expect(events.map(bodies)).toEqual([["bad", "good"], ["bad"]]);
    expect(events[1]?.Records[0]?.attributes.ApproximateReceiveCount).toBe("2");
  });

  test.for([
    { rule: "C07 a batch with a malformed response comes again whole", handler: () => ({ batchItemFailures: [{ itemIdentifier: "" }] }) },
    {
      rule: "a batch whose function threw comes again whole",
      handler: () => {
        throw new Error("broken");
      },
    },
  ])("$rule, and goes to the dead letters at the queue's receive limit", async ({ handler }) => {
    const deadLetters = `${queue}-dead`;
    await makeQueue(deadLetters);
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf(deadLetters), maxReceiveCount: 2 });
    await makeQueue(queue, { VisibilityTimeout: "1", RedrivePolicy });
    await send("one", "two");
    const events = await whileRunning(handler, () => eventually(() => left(deadLetters)).toBe(2));
    expect(events.flatMap(bodies).sort()).toEqual(["one", "one", "two", "two"]);
    expect(await left()).toBe(0);
  });

  test("without ReportBatchItemFailures an answer, whatever it says, is success", async () => {
    await makeQueue(queue);
    await send("a");
    const events = await whileRunning(
      ({ Records }) => ({ batchItemFailures: [{ itemIdentifier: Records[0]?.messageId }] }),
      () => eventually(() => left()).toBe(0),
      { reportsFailures: false },
    );
    expect(events).toHaveLength(1);
  });

  test("a batch is no larger than asked", async () => {
    await makeQueue(queue);
    await send("a", "b", "c", "d", "e");
    const events = await whileRunning(
      () => undefined,
      () => eventually(() => left()).toBe(0),
      { batchSize: 2 },
    );
    expect(events.map(({ Records }) => Records.length).sort()).toEqual([1, 2, 2]);
  });

  test("a window gathers more than one receive can, in one batch", async () => {
    await makeQueue(queue);
    const ten = "abcdefghij".split("");
    await send(...ten);
    await send(...ten);
    const events = await whileRunning(
      () => undefined,
      () => eventually(() => left()).toBe(0),
      { batchSize: 20, windowSeconds: 1, concurrency: 1 },
    );
    expect(events.map(({ Records }) => Records.length)).toEqual([20]);
  });

  test("no more batches are at work at one time than its concurrency", async () => {
    await makeQueue(queue);
    await send("a", "b", "c", "d");
    let atWork = 0;
    let most = 0;
    const release = Promise.withResolvers<void>();
    await whileRunning(
      async () => {
        atWork += 1;
        most = Math.max(most, atWork);
        await release.promise;
        atWork -= 1;
      },
      async (events) => {
        await eventually(() => events).toHaveLength(2);
        release.resolve();
        await eventually(() => left()).toBe(0);
      },
      { batchSize: 1 },
    );
    expect(most).toBe(2);
  });

  test("stop ends long polls at once, waits for the batch at work, and takes nothing afterwards", async () => {
    await makeQueue(queue);
    await send("at work");
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const source: EventSource = {
      queueArn: arnOf(queue),
      functionArn: "f",
      batchSize: 1,
      windowSeconds: 0,
      reportsFailures: true,
      concurrency: 2,
    };
    const invoke = async () => {
      started.resolve();
      await finish.promise;
    };
    const running = startEventSource(source, { endpoint: emulators.sqs, invoke, onFault: () => {} });
    await started.promise;
    const stopped = running.stop();
    finish.resolve();
    await stopped;
    expect(await left()).toBe(0);
  });

  test("a queue that isn't there is reported, and the source works once it is", async () => {
    const faults: unknown[] = [];
    const source: EventSource = {
      queueArn: arnOf(queue),
      functionArn: "f",
      batchSize: 10,
      windowSeconds: 0,
      reportsFailures: true,
      concurrency: 1,
    };
    const running = startEventSource(source, {
      endpoint: emulators.sqs,
      invoke: async () => undefined,
      onFault: (_, error) => faults.push(error),
    });
    await eventually(() => faults).toMatchObject([{ name: "QueueDoesNotExist" }]);
    await makeQueue(queue);
    await send("late");
    await eventually(() => left()).toBe(0);
    await running.stop();
  });
});

describe("the event source of a FIFO queue (the group lock is fauxqs's)", () => {
  const sendInOrder = async (...all: string[]) => {
    for (const body of all)
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: urlOf(queue),
          MessageBody: body,
          MessageGroupId: body.slice(0, 1),
          MessageDeduplicationId: body,
        }),
      );
  };
  const fifoQueue = async (Attributes: Record<string, string> = {}) => {
    queue = `${queue}.fifo`;
    await makeQueue(queue, { FifoQueue: "true", ...Attributes });
  };
  const ofGroup = (events: readonly SQSEvent[], group: string) => events.flatMap(bodies).filter((body) => body.startsWith(group));

  test("C23: hands out no later message of a group while an earlier one is in flight, however many batches are at work", async () => {
    await fifoQueue();
    await sendInOrder("1a", "2a", "1b", "2b", "1c");
    const inFlight = new Map<string, number>();
    const atOnce: number[] = [];
    const events = await whileRunning(
      async ({ Records }) => {
        const groups = new Set(Records.map(({ attributes }) => attributes.MessageGroupId ?? ""));
        for (const group of groups) {
          inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
          atOnce.push(inFlight.get(group) ?? 0);
        }
        await new Promise(setImmediate);
        for (const group of groups) inFlight.set(group, (inFlight.get(group) ?? 0) - 1);
      },
      () => eventually(() => left()).toBe(0),
      { concurrency: 4 },
    );
    expect(new Set(atOnce)).toEqual(new Set([1]));
    expect(ofGroup(events, "1")).toEqual(["1a", "1b", "1c"]);
    expect(ofGroup(events, "2")).toEqual(["2a", "2b"]);
  });

  test("C06: what the function named comes again before those behind it, until it is given up; other groups don't wait", async () => {
    await makeQueue(`letters-${queue}.fifo`, { FifoQueue: "true" });
    const letters = `letters-${queue}.fifo`;
    await fifoQueue({ VisibilityTimeout: "1", RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(letters), maxReceiveCount: 2 }) });
    await sendInOrder("1a", "2a", "3a", "2b", "1b", "2c");
    const events = await whileRunning(
      ({ Records }) => ({
        batchItemFailures: Records.filter(({ body }) => body === "2b").map(({ messageId }) => ({ itemIdentifier: messageId })),
      }),
      () => eventually(async () => [await left(), await left(letters)]).toEqual([0, 1]),
    );
    expect(ofGroup(events, "2")).toEqual(["2a", "2b", "2b", "2c"]);
    const order = events.flatMap(bodies);
    expect(order.indexOf("1b")).toBeLessThan(order.lastIndexOf("2b"));
  });
});
