import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { test } from "vitest";
import { dynamoStore, once, type ReceivedMessage } from "../../client/index.ts";
import { onceKey } from "../../core/carry/scope.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo, env } = useNetwork(twoRegions());

const left = async (queue: string): Promise<number> => {
  const QueueUrl = `http://sqs/000000000000/spanmq-test-eu-q-${queue}`;
  const AttributeNames = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
  const { Attributes = {} } = await clients("eu").sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name]), 0);
};

test("a consumer with once handles what nobody has handled, and what somebody died at when its time is over", async () => {
  const [us, eu] = [await connectTo("us"), await connectTo("eu")];
  // Any table of that kind will do: here the broker's own.
  const store = dynamoStore({ table: "spanmq-test-eu-sys-audit", env: env("eu") });

  /** What another consumer does with its copy of a message, just before ours is delivered. */
  const done = new Set<string>();
  const another = async ({ id, text }: ReceivedMessage) => {
    if (text === "free" || done.has(id)) return;
    done.add(id);
    const claim = { key: onceKey("queue://jobs", id), owner: id, attempt: "another's", plan: null };
    await store.claim([claim], Date.now() - 4_000);
    if (text === "done") await store.settle([claim], Date.now());
  };
  const handled: string[] = [];
  const handle = once(({ text, redelivered }: ReceivedMessage) => handled.push(redelivered ? `${text}, again` : text), {
    store,
    handlerTimeout: 1,
  });
  await eu.consume("queue://jobs", async (message) => {
    await another(message);
    return handle(message);
  });
  for (const text of ["done", "dead", "free"]) await us.send("jobs", text);
  // Whose own claim's answer was lost is told "again", too.
  await eventually(() => handled.map((one) => one.replace("free, again", "free")).toSorted()).toEqual(["dead, again", "free"]);
  await eventually(() => left("jobs")).toBe(0);
});
