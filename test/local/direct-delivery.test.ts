import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { PublishCommand, SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import { type Connection, connect } from "../../client/index.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { eventually } from "../support/eventually.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

const regions = { us: "us-east-1", eu: "eu-west-1" } as const;
const topicArn = (broker: keyof typeof regions) => `arn:aws:sns:${regions[broker]}:000000000000:spanmq-net-${broker}-t-prices`;

let network: EmbeddedNetwork;
let connection: Connection | undefined;
beforeAll(async () => {
  const broker = { subscriptionGrace: 0, topics: ["prices"] };
  network = await startNetwork({
    network: "net",
    brokers: { us: { ...broker, region: regions.us }, eu: { ...broker, region: regions.eu } },
    links: ["us <-> eu"],
  });
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await network?.stop();
});

const eu = () => network.clientsFor(regions.eu);
const publish = (Message: string) => network.clientsFor(regions.us).sns.send(new PublishCommand({ TopicArn: topicArn("us"), Message }));

/** What routing knows of the topic in eu, once every dispatch does. */
const known = async () => {
  const brain = dynamoBrain({ dynamo: eu().dynamodb, table: "spanmq-net-eu-sys-brain", now: Date.now });
  const view = (await brain.read("view", "", "topic://prices"))?.value;
  return view && view.changedAt + 2_000 < Date.now() ? view.subscribers : undefined;
};
/** Publishes of dispatch to eu's topic: of what it delivers directly there is none. */
let publishes = 0;
const countPublishes = (message: unknown): void => {
  const { request } = message as { readonly request: ClientRequest };
  const end = request.end.bind(request);
  request.end = (body?: unknown): ClientRequest => {
    const text = String(body);
    if (text.includes("Action=PublishBatch") && text.includes(encodeURIComponent(topicArn("eu")))) publishes += 1;
    return end(body);
  };
};
beforeAll(() => subscribe("http.client.request.created", countPublishes));
afterAll(() => void unsubscribe("http.client.request.created", countPublishes));
const received = async (): Promise<readonly string[]> => {
  const QueueUrl = "http://sqs/000000000000/audit";
  const { Messages = [] } = await eu().sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, WaitTimeSeconds: 1 }));
  return Messages.map(({ Body = "{}" }) => JSON.parse(Body).Message);
};

test("a topic's message goes straight to a client's queue, until somebody subscribes a queue of his own: then both get it from SNS", async () => {
  const got: string[] = [];
  connection = await connect({ network: "net", broker: "eu", env: network.environmentFor(regions.eu) });
  await connection.subscribe("prices", ({ text, brokerPath, destination }) => got.push([text, ...brokerPath, destination].join(" ")));
  await connection.ready();
  await eventually(known).toMatchObject({ queues: [expect.any(String)], links: [expect.any(String)], foreign: false });
  await publish("direct");
  await eventually(() => got).toEqual(["direct us topic://prices"]);
  expect(publishes).toBe(0);

  await eu().sqs.send(new CreateQueueCommand({ QueueName: "audit" }));
  const Endpoint = `arn:aws:sqs:${regions.eu}:000000000000:audit`;
  await eu().sns.send(new SubscribeCommand({ TopicArn: topicArn("eu"), Protocol: "sqs", Endpoint }));
  await eventually(async () => {
    await network.tickNow("eu");
    return known();
  }).toMatchObject({ foreign: true });
  await publish("published");
  await eventually(() => got).toEqual(["direct us topic://prices", "published us topic://prices"]);
  await eventually(received).toEqual(["published"]);
  expect(publishes).toBe(1);
  expect(network.failures()).toEqual([]);
}, 120_000);
