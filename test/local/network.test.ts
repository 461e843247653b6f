import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { NetworkError } from "../../infra/read-network.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { eventually } from "../support/eventually.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

let network: EmbeddedNetwork | undefined;
afterEach(() => network?.stop());

const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP"));
const urlOf = (name: string) => `http://sqs/000000000000/${name}`;

describe("examples/two-regions", () => {
  test("comes up whole, carries a plain SDK's message to a plain poller in the other region, and stops", async () => {
    const lines: string[] = [];
    network = await startNetwork("examples/two-regions/network.jsonc", { progress: (line) => lines.push(line) });
    expect(lines).toEqual([
      "synthesising 2 stacks",
      expect.stringMatching(/^eu: \d+ resources$/),
      expect.stringMatching(/^us: \d+ resources$/),
    ]);
    expect(network.brokers).toEqual([
      { id: "us", region: "us-east-1", account: "000000000000" },
      { id: "eu", region: "eu-west-1", account: "000000000000" },
    ]);

    const { sqs: us } = network.clientsFor("us-east-1");
    const { sqs: eu } = network.clientsFor("eu-west-1");
    await us.send(
      new SendMessageCommand({
        QueueUrl: urlOf("spanmq-orders-us-sys-ingress"),
        MessageBody: "one order",
        MessageAttributes: { destination: { DataType: "String", StringValue: "queue://plain.orders" } },
      }),
    );
    const received = async () => {
      const { Messages } = await eu.send(
        new ReceiveMessageCommand({ QueueUrl: urlOf("spanmq-orders-eu-q-plain-orders"), WaitTimeSeconds: 1 }),
      );
      return Messages?.map(({ Body }) => Body);
    };
    await eventually(received).toEqual(["one order"]);
    await network.tickNow("us");
    expect(network.failures()).toEqual([]);

    const before = Date.now();
    await network.stop();
    expect(Date.now() - before).toBeLessThan(10_000);
    await eventually(sockets).toEqual([]);
  });

  test("a configuration that can't be deployed is said in words, and nothing runs", async () => {
    const starting = startNetwork({ network: "shop", brokers: { us: { region: "us-east-1" } }, links: ["us <-> eu"] });
    await expect(starting).rejects.toThrow(NetworkError);
    await expect(starting).rejects.toThrow("eu");
    await expect(startNetwork("nowhere/network.jsonc")).rejects.toThrow("no configuration at");
    await eventually(sockets).toEqual([]);
  });
});
