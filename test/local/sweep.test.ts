import { InvokeCommand } from "@aws-sdk/client-lambda";
import { ListSubscriptionsCommand, ListTopicsCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand, ListQueuesCommand, PurgeQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { GetParameterCommand } from "@aws-sdk/client-ssm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import { connect } from "../../client/connect.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { eventually } from "../support/eventually.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

const regions = { us: "us-east-1", eu: "eu-west-1" };
type Broker = keyof typeof regions;
const places = { us: { region: regions.us, subscriptionGrace: 0 }, eu: { region: regions.eu, subscriptionGrace: 0 } };

let network: EmbeddedNetwork;
beforeAll(async () => {
  network = await startNetwork({
    network: "test",
    brokers: { us: { ...places.us, queues: ["declared"], topics: ["prices"] }, eu: places.eu },
    links: ["us <-> eu"],
  });
});
afterAll(() => network.stop());

const clients = (broker: Broker) => network.clientsFor(regions[broker]);
const urlOf = (name: string) => `http://sqs/000000000000/${name}`;
const brainOf = (broker: Broker) =>
  dynamoBrain({ dynamo: clients(broker).dynamodb, table: `spanmq-test-${broker}-sys-brain`, now: Date.now });

/** What CloudFormation does first of a destroy; answers what the function threw. */
const destroy = async (broker: Broker): Promise<string | undefined> => {
  const slice = JSON.stringify((await brainOf(broker).read("broker", "", "broker"))?.value.slice);
  const event = { RequestType: "Delete", PhysicalResourceId: `spanmq-test-${broker}`, ResourceProperties: { slice } };
  const FunctionName = `spanmq-test-${broker}-deployment`;
  const { Payload } = await clients(broker).lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  return JSON.parse(Buffer.from(Payload ?? []).toString())?.errorMessage;
};

/** Queues and topics with a broker's names, its house, link ends and what it declares apart. */
const madeBy = async (broker: Broker): Promise<readonly string[]> => {
  const { QueueUrls = [] } = await clients(broker).sqs.send(new ListQueuesCommand({ QueueNamePrefix: `spanmq-test-${broker}-` }));
  const { Topics = [] } = await clients(broker).sns.send(new ListTopicsCommand({}));
  const names = [...QueueUrls, ...Topics.map(({ TopicArn = "" }) => TopicArn)].map((text) => text.split(/[/:]/).at(-1) ?? "");
  return names.filter((name) => name.startsWith(`spanmq-test-${broker}-`) && !/-(sys|in)-|-q-declared$|-us-t-prices$/.test(name));
};
const subscriptionsTo = async (broker: Broker): Promise<readonly string[]> => {
  const { Subscriptions = [] } = await clients(broker).sns.send(new ListSubscriptionsCommand({}));
  return Subscriptions.flatMap(({ Endpoint = "" }) => (Endpoint.includes(`:spanmq-test-${broker}-`) ? Endpoint : []));
};

describe("a destroy of one broker after the other on the emulators", () => {
  const foreign = ["spanmq-test-us2-q-orders", "spanmq-test-us-mine", "spanmq-test-us-q-handmade"];

  test("is refused in words while a message rests, and the broker works on", async () => {
    const us = await connect({ network: "test", broker: "us", env: network.environmentFor(regions.us) });
    const eu = await connect({ network: "test", broker: "eu", env: network.environmentFor(regions.eu) });
    await us.subscribe("topic://prices", () => {});
    await us.consume("queue://orders", () => {}, { prefetchSize: 1 });
    await eu.subscribe("topic://prices", () => {});
    await eu.subscribe("topic://news", () => {});
    await Promise.all([us.ready(), eu.ready()]);
    for (const name of foreign) await clients("us").sqs.send(new CreateQueueCommand({ QueueName: name }));
    await clients("us").sqs.send(new SendMessageCommand({ QueueUrl: urlOf("spanmq-test-us-q-declared"), MessageBody: "left" }));
    expect((await madeBy("us")).length).toBeGreaterThan(2);
    expect(await subscriptionsTo("us")).not.toEqual([]);

    const refusal = await destroy("us");
    expect(refusal).toMatch(/^broker us still holds messages[^:]*: spanmq-test-us-q-declared \(1\)\. .*destroy again/);
    const links = async () => [
      (await brainOf("us").list("link", ""))[0]?.value.state,
      (await brainOf("eu").list("link", ""))[0]?.value.state,
    ];
    await eventually(links).toEqual(["started", "started"]);
    await eventually(async () => (await subscriptionsTo("us")).some((queue) => queue.endsWith("-in-eu-us_-eu"))).toBe(true);
    await us.close();
    await eu.close();
    // A broker that is closing would let the client's farewell wait; its subscription then goes with the topic, which no stack deletes here.
    await eventually(async () => (await subscriptionsTo("us")).filter((queue) => queue.includes("-us-s-"))).toEqual([]);
  });

  test("removes what control made and the key when nothing is left, and leaves everybody else's queues", async () => {
    await clients("us").sqs.send(new PurgeQueueCommand({ QueueUrl: urlOf("spanmq-test-us-q-declared") }));
    expect(await destroy("us")).toBeUndefined();
    expect((await madeBy("us")).toSorted()).toEqual(["spanmq-test-us-mine", "spanmq-test-us-q-handmade"]);
    await expect(clients("us").ssm.send(new GetParameterCommand({ Name: "/spanmq/test/us/signing-key" }))).rejects.toThrow("not found");
  });

  test("is done again without harm", async () => {
    expect(await destroy("us")).toBeUndefined();
  });

  test("lets the peer's subscriptions end, and control make nothing any more", async () => {
    await eventually(() => subscriptionsTo("us")).toEqual([]);
    await network.tickNow("us");
    await network.tickNow("eu");
    expect((await madeBy("us")).toSorted()).toEqual(["spanmq-test-us-mine", "spanmq-test-us-q-handmade"]);
  });

  test("succeeds for the second one too", async () => {
    expect(await destroy("eu")).toBeUndefined();
    expect(await madeBy("eu")).toEqual([]);
  });
});
