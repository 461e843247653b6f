import { ListSubscriptionsByTopicCommand } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test, vi } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import type { ReceivedMessage } from "../../client/index.ts";
import { patiently } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo, running } = useNetwork(twoRegions());

/** How many candidates us has for a queue: private queues here, and eu when it has demand. */
const candidatesOf = async (queue: string): Promise<number | undefined> => {
  const brain = dynamoBrain({ dynamo: clients("us").dynamodb, table: "spanmq-test-us-sys-brain", now: Date.now });
  return (await brain.read("view", "", queue))?.value.candidates.length;
};

/** The queues that a topic's subscriptions in eu end in. */
const endsOf = async (topic: string): Promise<readonly string[]> => {
  const TopicArn = `arn:aws:sns:eu-west-1:000000000000:spanmq-test-eu-t-${topic}`;
  const { Subscriptions = [] } = await clients("eu").sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  return Subscriptions.map(({ Endpoint = "" }) => Endpoint.split(":").at(-1) ?? "");
};

const isMissing = (queue: string): Promise<boolean> =>
  clients("eu")
    .sqs.send(new GetQueueAttributesCommand({ QueueUrl: `http://sqs/000000000000/${queue}` }))
    .then(
      () => false,
      ({ name }: Error) => name === "QueueDoesNotExist",
    );

describe.concurrent("who leaves", () => {
  test("takes its demand along: a closed consumer, then a closed connection", async () => {
    const eu = await connectTo("eu");
    const first = await eu.consume("queue://one", () => {});
    await eu.consume("queue://two", () => {});
    await eu.ready();
    expect([await candidatesOf("queue://one"), await candidatesOf("queue://two")]).toEqual([1, 1]);
    await first.close();
    await vi.waitUntil(async () => (await candidatesOf("queue://one")) === 0, patiently);
    expect(await candidatesOf("queue://two")).toBe(1);
    await eu.close();
    await vi.waitUntil(async () => (await candidatesOf("queue://two")) === 0, patiently);
  });

  test("a topic takes its subscription along, and with the next tick its queue", async () => {
    const eu = await connectTo("eu");
    await eu.subscribe("topic://news", () => {});
    await eu.ready();
    const [queue = "", ...others] = await endsOf("news");
    expect([others, await isMissing(queue)]).toEqual([[], false]);
    await eu.close();
    await vi.waitUntil(async () => (await endsOf("news")).length === 0, patiently);
    await running().tickNow("eu");
    await vi.waitUntil(() => isMissing(queue), patiently);
  });

  test("a private queue leaves what waits there to whoever consumes elsewhere", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const hold = Promise.withResolvers<void>();
    const here: string[] = [];
    const take = async ({ text }: ReceivedMessage): Promise<void> => {
      here.push(text);
      await hold.promise;
    };
    const narrow = await us.consume("queue://narrow", take, { prefetchSize: 1 });
    await us.ready();
    const sent = ["1", "2", "3"];
    await Promise.all(sent.map((body) => us.send("narrow", body)));
    const QueueUrl = `http://sqs/000000000000/spanmq-test-us-s-${us.id}-c1`;
    const waiting = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] });
    await vi.waitUntil(async () => (await clients("us").sqs.send(waiting)).Attributes?.ApproximateNumberOfMessages === "2", patiently);

    const there: string[] = [];
    await eu.consume("queue://narrow", ({ text }) => void there.push(text));
    await eu.ready();
    const closing = narrow.close();
    hold.resolve();
    await closing;
    await vi.waitUntil(async () => (await candidatesOf("queue://narrow")) === 1, patiently);
    // A pass that was throttled is made good by a later tick.
    const arrived = async (): Promise<boolean> => {
      await running().tickNow("us");
      return there.length === 2;
    };
    await vi.waitUntil(arrived, { ...patiently, interval: 1_000 });
    expect(here).toHaveLength(1);
    expect([...here, ...there].toSorted()).toEqual(sent);
  });
});
