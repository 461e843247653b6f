import { InvokeCommand } from "@aws-sdk/client-lambda";
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect } from "../../client/connect.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { sliceOf } from "../support/a-slice.ts";
import { eventually } from "../support/eventually.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

const configured = (us: object): NetworkInput => ({
  network: "test",
  brokers: {
    us: { region: "us-east-1", queues: ["orders"], ...us },
    eu: { region: "eu-west-1", queues: ["orders"] },
  },
});
const withLink = (connector: object = {}) => configured({ networkConnectors: [{ name: "us-eu", to: "eu", ...connector }] });
const local = configured({});

let network: EmbeddedNetwork;
beforeAll(async () => {
  // The link's queues stand from the beginning: what is embedded brings a stack up, and its deployment function plays the updates.
  network = await startNetwork(withLink(), { timeoutSeconds: 3 });
});
afterAll(() => network.stop());

const regions = { us: "us-east-1", eu: "eu-west-1" };
type Broker = keyof typeof regions;
const update = async (broker: Broker, input: NetworkInput, settings: object = {}): Promise<string | undefined> => {
  const slice = JSON.stringify({ ...sliceOf(input, broker), ...settings });
  const event = { RequestType: "Update", PhysicalResourceId: `spanmq-test-${broker}`, ResourceProperties: { slice } };
  const { lambda } = network.clientsFor(regions[broker]);
  const FunctionName = `spanmq-test-${broker}-deployment`;
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  return JSON.parse(Buffer.from(Payload ?? []).toString())?.errorMessage;
};

const address = "http://sqs/000000000000/spanmq-test-us-q-orders";
const sent: string[] = [];
const sendDirect = async (...bodies: readonly string[]) => {
  const { sqs } = network.clientsFor("us-east-1");
  for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl: address, MessageBody }));
  sent.push(...bodies);
};
/** A plain poller at us, until it has what it waits for. */
const polled: string[] = [];
const poll = async (until: number) => {
  const { sqs } = network.clientsFor("us-east-1");
  await eventually(async () => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: address, MaxNumberOfMessages: 10 }));
    for (const { Body = "", ReceiptHandle } of Messages) {
      polled.push(Body);
      await sqs.send(new DeleteMessageCommand({ QueueUrl: address, ReceiptHandle }));
    }
    return polled.length;
  }).toBe(until);
};

test("a queue that runs locally becomes networked and local again: one address, nothing lost, nothing doubled", async () => {
  for (const broker of ["us", "eu"] as const) expect(await update(broker, local, { removalPolicy: "destroy" })).toBeUndefined();
  const eu = await connect({ network: "test", broker: "eu", env: network.environmentFor("eu-west-1") });
  const abroad: string[] = [];
  await eu.consume("queue://orders", ({ text }) => void abroad.push(text));
  await eu.ready();
  await sendDirect("local 1", "local 2");
  await poll(2);

  for (const broker of ["us", "eu"] as const) expect(await update(broker, withLink())).toBeUndefined();
  await sendDirect("networked 1", "networked 2");
  await eventually(async () => {
    await network.tickNow("us");
    return abroad.toSorted();
  }).toEqual(["networked 1", "networked 2"]);
  expect(await update("eu", local)).toMatch(/link us:us-eu hasn't stopped at us/);

  for (const broker of ["us", "eu"] as const) expect(await update(broker, withLink({ removed: true }))).toBeUndefined();
  expect(await update("us", local)).toMatch(/link us:us-eu is draining/);
  const goesAt = (broker: Broker) =>
    eventually(async () => {
      await network.tickNow("us");
      return update(broker, local);
    }).toBeUndefined();
  await goesAt("us");
  await goesAt("eu");
  await sendDirect("local 3");
  await poll(3);
  await eu.close();
  expect([...polled, ...abroad].toSorted()).toEqual(sent.toSorted());
});
