import { ListSubscriptionsByTopicCommand } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo, running } = useNetwork(twoRegions());

/** How many candidates abroad us has for a queue. */
const demandIn = async (queue: string): Promise<number | undefined> => {
  const brain = dynamoBrain({ dynamo: clients("us").dynamodb, table: "spanmq-test-us-sys-brain", now: Date.now });
  return (await brain.read("view", "", queue))?.value.candidates.length;
};

describe("who leaves", () => {
  test("takes its demand along: a closed consumer, then a closed connection", async () => {
    const eu = await connectTo("eu");
    const first = await eu.consume("queue://one", () => {});
    await eu.consume("queue://two", () => {});
    await eu.ready();
    expect([await demandIn("queue://one"), await demandIn("queue://two")]).toEqual([1, 1]);
    await first.close();
    await eventually(() => demandIn("queue://one")).toBe(0);
    expect(await demandIn("queue://two")).toBe(1);
    await eu.close();
    await eventually(() => demandIn("queue://two")).toBe(0);
  });

  test("from a topic takes its subscription along at once, and its queue with the next tick", async () => {
    const eu = await connectTo("eu");
    await eu.subscribe("topic://news", () => {});
    await eu.ready();
    const ends = async () => {
      const TopicArn = "arn:aws:sns:eu-west-1:000000000000:spanmq-test-eu-t-news";
      const { Subscriptions = [] } = await clients("eu").sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
      return Subscriptions.map(({ Endpoint }) => Endpoint);
    };
    const QueueUrl = `http://sqs/000000000000/spanmq-test-eu-s-${eu.id}-c1`;
    const stands = () => clients("eu").sqs.send(new GetQueueAttributesCommand({ QueueUrl }));
    expect(await ends()).toEqual([expect.stringContaining(eu.id)]);
    await eu.close();
    await eventually(ends).toEqual([]);
    await stands();
    await running().tickNow("eu");
    await eventually(() => stands().catch(({ name }: Error) => name)).toBe("QueueDoesNotExist");
  });
});
