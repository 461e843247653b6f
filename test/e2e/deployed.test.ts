import { readFile } from "node:fs/promises";
import { InvokeCommand } from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { parse } from "jsonc-parser";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import { sha256 } from "../../aws/keys.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { addressesOf } from "../../core/destination/addresses.ts";
import { brokerId } from "../../core/ids.ts";
import { takeAll } from "../../local/demo/plain.ts";
import { playAll } from "../../local/demo/scenes.ts";
import { bodies, depthOf, openStage, until } from "../../local/demo/stage.ts";
import { stageOf } from "../local/scenes/stage.ts";
import { type Cloud, miniStackCloud } from "../support/e2e/cloud.ts";
import { prepare } from "../support/e2e/may-run.ts";
import { connectorsTo, groundOn, scenes } from "../support/e2e/scenes.ts";
import { standing } from "../support/e2e/standing.ts";

const regions = { us: "us-east-1", eu: "eu-west-1" } as const;
type BrokerName = keyof typeof regions;

const example: NetworkInput = parse(await readFile("examples/two-regions/network.jsonc", "utf8"), [], { allowTrailingComma: true });

/** The example with further connectors, those of the scenes too, and a further destination. */
const extended = structuredClone(example);
extended.brokers.us?.networkConnectors?.push(
  { name: "invoices", to: "eu", dynamicallyIncludedDestinations: ["queue://invoices.>"] },
  ...connectorsTo("eu"),
);
for (const broker of Object.values(extended.brokers)) broker.autoCreateDestinations = ["queue://>", "topic://>"];
extended.brokers.eu?.consumers?.push({ destination: "queue://invoices.paid" });

describe("the example, deployed by the CDK and with functions in processes of their own", () => {
  let cloud: Cloud;
  let assembly: string;
  let skipped: string | undefined;

  beforeAll(async () => {
    const prepared = await prepare(process.env);
    if ("why" in prepared) {
      skipped = prepared.why;
      return;
    }
    cloud = await miniStackCloud(prepared.command);
  });
  afterAll(() => cloud?.stop());

  // Each test goes on where the one before it ended.
  beforeEach(({ skip }) => skip(skipped !== undefined, skipped));
  afterEach(({ task }) => {
    if (task.result?.state !== "fail") return;
    skipped = "the step before it failed";
    throw new Error(cloud.said()); // beside the error there is
  });

  const placeOf = (broker: BrokerName) => ({ id: brokerId(broker), region: regions[broker], account: cloud.account });
  const at = (broker: BrokerName) => addressesOf("orders", placeOf(broker), sha256);
  const running = () => ({ ...cloud, brokers: [placeOf("us"), placeOf("eu")] });
  const sqsOf = (broker: BrokerName) => cloud.clientsFor(regions[broker]).sqs;
  const sendToUs = async (queue: string, texts: readonly string[]) => {
    const QueueUrl = at("us").queueUrl(at("us").ingressQueue);
    const destination = { DataType: "String", StringValue: queue };
    for (const MessageBody of texts)
      await sqsOf("us").send(new SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes: { destination } }));
  };
  /** A link that finds its peer's end not deployed yet tries again at the next minute's tick. */
  const patience = 90_000;
  const takeFrom = (broker: BrokerName, queue: string, count: number) =>
    takeAll(sqsOf(broker), at(broker).queueUrl(at(broker).queue(queue)), count, patience);
  /** The answer of the stack's custom resource to its deletion: an error's message. */
  const askToEnd = async (broker: BrokerName): Promise<unknown> => {
    const { lambda, dynamodb } = cloud.clientsFor(regions[broker]);
    const stored = await dynamoBrain({ dynamo: dynamodb, table: at(broker).brainTable, now: Date.now }).read("broker", "", "broker");
    const event = { RequestType: "Delete", ResourceProperties: { slice: JSON.stringify(stored?.value.slice) } };
    const invoke = new InvokeCommand({ FunctionName: `spanmq-orders-${broker}-deployment`, Payload: JSON.stringify(event) });
    const { Payload } = await lambda.send(invoke);
    return JSON.parse(Payload?.transformToString() ?? "{}").errorMessage;
  };
  const destroy = (broker: BrokerName) => cloud.destroy(assembly, `spanmq-orders-${broker}`);
  const inBoth = async () => [...(await standing(cloud, "orders", regions.us)), ...(await standing(cloud, "orders", regions.eu))];

  test("does all that npm start shows: shares, topics, drain passes, plain AWS at both edges", async () => {
    await cloud.bootstrap(Object.values(regions));
    assembly = await cloud.deploy(example);
    const stage = await openStage(running(), () => {});
    await playAll(stage);
    const promised = stage.findings.filter(({ scene }) => !scene.endsWith("consumers at work")); // which poller gets what is SQS's affair
    expect(promised.map(({ scene, seen }) => [scene, seen])).toEqual(promised.map(({ scene, expected }) => [scene, expected]));
  });

  test("takes a further connector and a further destination by a second deployment", async () => {
    assembly = await cloud.deploy(extended);
    await sendToUs("queue://invoices.paid", bodies("invoice", 10));
    expect((await takeFrom("eu", "invoices.paid", 10)).toSorted()).toEqual(bodies("invoice", 10).toSorted());
  });

  test("plays scenes of two brokers as the embedded runtime does, each within its own destinations", async () => {
    const ground = groundOn(cloud, "orders", (at) => placeOf(at === "a" ? "us" : "eu"));
    const failed = (scene: string) => (error: unknown) => `${scene} ${error}`;
    const play = (scene: (typeof scenes)[number]) => scene.play(stageOf(ground, scene, expect)).then(() => [], failed(scene.rule));
    expect((await Promise.all(scenes.map(play))).flat()).toEqual([]);
    expect(scenes).toHaveLength(5);
    await ground.leave();
  });

  test("isn't given up while a message is left, and works on: the refusal names the queue", async () => {
    await sendToUs("queue://orders.left", ["still here"]);
    await until(async () => (await depthOf({ network: running(), at }, "us", at("us").queue("orders.left"))) === 1, patience);
    // Asked directly: after a refusal CloudFormation keeps what the custom resource depends on, which is all; MiniStack deletes it.
    const refusal = /^broker us still holds messages.*: spanmq-orders-us-q-orders-left \(1\)\./;
    let said = "";
    // What the scenes parked may still be on its way.
    await until(async () => {
      said = String(await askToEnd("us"));
      return refusal.test(said);
    }, patience);
    expect(said).toMatch(refusal);
    await sendToUs("queue://invoices.paid", ["afterwards"]);
    expect(await takeFrom("eu", "invoices.paid", 1)).toEqual(["afterwards"]);
    expect(await takeFrom("us", "orders.left", 1)).toEqual(["still here"]);
  });

  test("C12 leaves nothing when us goes first", async () => {
    for (const { service, names } of await inBoth()) expect(names, service).not.toEqual([]);
    await destroy("us");
    await destroy("eu");
    for (const { service, names } of await inBoth()) expect(names, service).toEqual([]);
  });

  test("C12 comes back under the same names, and leaves nothing when eu goes first", async () => {
    assembly = await cloud.deploy(extended);
    await sendToUs("queue://invoices.paid", ["again"]);
    expect(await takeFrom("eu", "invoices.paid", 1)).toEqual(["again"]);
    await destroy("eu");
    await destroy("us");
    for (const { service, names } of await inBoth()) expect(names, service).toEqual([]);
  });

  test("is refused by the CDK in the same words", async () => {
    const alone = await cloud.deploy({ network: "alone", brokers: { us: { region: regions.us, queues: ["kept"] } } });
    const kept = addressesOf("alone", placeOf("us"), sha256);
    await sqsOf("us").send(new SendMessageCommand({ QueueUrl: kept.queueUrl(kept.queue("kept")), MessageBody: "still here" }));
    await expect(cloud.destroy(alone, "spanmq-alone-us")).rejects.toThrow(
      /broker us still holds messages.*: spanmq-alone-us-q-kept \(1\)\./,
    );
  });
});
