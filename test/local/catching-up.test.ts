import { GetQueueAttributesCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { afterEach, expect, test, vi } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import type { Endpoints } from "../../local/endpoints.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { eventually } from "../support/eventually.ts";
import { type Call, subjectOf } from "../support/hostile/call.ts";
import { type Gateway, openGateway, passOn } from "../support/hostile/gateway.ts";
import { refusal } from "../support/hostile/refusal.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

let network: EmbeddedNetwork | undefined;
let gateway: Gateway | undefined;
afterEach(async () => {
  await network?.stop();
  await gateway?.stop();
});

/** Refuses what is sent to eu's inbound queues while it is cut off. */
const behindACut = () => {
  const cut = { isOn: false };
  const before = async (services: Endpoints): Promise<Endpoints> => {
    gateway = await openGateway(async (call: Call, signal) => {
      const isCutOff = cut.isOn && call.action.startsWith("SendMessage") && /-eu-in-/.test(subjectOf(call));
      return isCutOff ? refusal(call, "RequestThrottled", "Rate exceeded") : passOn(services.sqs, call, signal);
    });
    return { ...services, sqs: gateway.address };
  };
  return { cut, before };
};

/** How fast, says the bench (`--only outage`): within ten seconds where nobody else wants the machine. */
test("1,000 messages sent during a cut arrive once the breaker has closed, without another tick", async () => {
  const { cut, before } = behindACut();
  network = await startNetwork("examples/two-regions/network.jsonc", { before, tick: false });
  const { sqs: us, dynamodb: dynamo } = network.clientsFor("us-east-1");
  const { sqs: eu } = network.clientsFor("eu-west-1");
  const brain = dynamoBrain({ dynamo, table: "spanmq-orders-us-sys-brain", now: Date.now });
  const breakers = async () => (await brain.read("broker", "", "broker"))?.value.breakers ?? [];
  const depthOf = async (sqs: typeof us, QueueUrl: string) => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] });
    return Number((await sqs.send(command)).Attributes?.ApproximateNumberOfMessages);
  };
  const urlOf = (name: string) => `http://sqs/000000000000/spanmq-orders-${name}`;
  const entry = (n: number) => ({
    Id: `${n % 10}`,
    MessageBody: `m-${n}`,
    MessageAttributes: { destination: { DataType: "String", StringValue: "queue://plain.orders" } },
  });
  const send = (from: number) =>
    us.send(
      new SendMessageBatchCommand({
        QueueUrl: urlOf("us-sys-ingress"),
        Entries: Array.from({ length: 10 }, (_, n) => entry(from + n)),
      }),
    );
  await eventually(async () => (await brain.read("view", "", "queue://plain.orders"))?.value.candidates.length).toBe(1);

  cut.isOn = true;
  for (let n = 0; n < 1_000; n += 10) await send(n);
  await eventually(breakers).not.toEqual([]);
  await eventually(() => depthOf(us, urlOf("us-q-plain-orders"))).toBe(1_000);

  cut.isOn = false;
  await network.tickNow("us");
  await eventually(breakers).toEqual([]);
  await expect.poll(() => depthOf(eu, urlOf("eu-q-plain-orders")), { timeout: 60_000, interval: 20 }).toBe(1_000);
});
