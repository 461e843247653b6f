import { setTimeout as pause } from "node:timers/promises";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { sha256 } from "../../aws/keys.ts";
import { type Connection, connect, type ReceivedMessage } from "../../client/index.ts";
import { type Addresses, addressesOf } from "../../core/destination/addresses.ts";
import type { EmbeddedNetwork } from "../network.ts";
import type { Finding } from "./report.ts";

export type BrokerName = "us" | "eu";

/** What a consumer of a scene has received so far. */
export interface Watched {
  readonly received: ReceivedMessage[];
}

/** What the scenes need of a network that runs, in this process or deployed. */
export type RunningNetwork = Pick<EmbeddedNetwork, "brokers" | "clientsFor" | "environmentFor">;

/** What the scenes play on: one connection per region, and the words they leave behind. */
export interface Stage {
  readonly network: RunningNetwork;
  readonly us: Connection;
  readonly eu: Connection;
  at(broker: BrokerName): Addresses;
  found(scene: string, expected: string, seen: string): void;
  readonly findings: readonly Finding[];
  say(line: string): void;
}

export const openStage = async (network: RunningNetwork, say: (line: string) => void): Promise<Stage> => {
  const findings: Finding[] = [];
  const placeOf = (broker: BrokerName) => {
    const place = network.brokers.find(({ id }) => id === broker);
    if (!place) throw new Error(`the demo needs broker ${broker}: has examples/two-regions/network.jsonc changed?`);
    return place;
  };
  const connectTo = (broker: BrokerName) => connect({ network: "orders", broker, env: network.environmentFor(placeOf(broker).region) });
  return {
    network,
    us: await connectTo("us"),
    eu: await connectTo("eu"),
    at: (broker) => addressesOf("orders", placeOf(broker), sha256),
    findings,
    found: (scene, expected, seen) => void findings.push({ scene, expected, seen }),
    say,
  };
};

/** Long enough that a poll's batch keeps its consumer busy while the next goes to another. */
const work = 50;

export const watch = async (connection: Connection, queue: string, options = {}): Promise<Watched> => {
  const received: ReceivedMessage[] = [];
  await connection.consume(
    queue,
    async (message) => {
      await pause(work);
      received.push(message);
    },
    options,
  );
  return { received };
};

export const watchTopic = async (connection: Connection, topic: string): Promise<Watched> => {
  const received: ReceivedMessage[] = [];
  await connection.subscribe(topic, (message) => void received.push(message));
  return { received };
};

export const countOf = (watched: readonly Watched[]): number => watched.reduce((sum, { received }) => sum + received.length, 0);

/** Waits until it holds, but no longer than `patience` (ms); then the table tells what was seen instead. */
export const until = async (holds: () => boolean | Promise<boolean>, patience = 20_000): Promise<void> => {
  const deadline = Date.now() + patience;
  while (!(await holds()) && Date.now() < deadline) await pause(100);
};

/** Messages in a queue, in flight ones included; 0 for a queue that isn't there. */
export const depthOf = async ({ network, at }: Pick<Stage, "network" | "at">, broker: BrokerName, name: string): Promise<number> => {
  const address = at(broker);
  const command = new GetQueueAttributesCommand({
    QueueUrl: address.queueUrl(name),
    AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
  });
  const { sqs } = network.clientsFor(address.place.region);
  try {
    const { Attributes = {} } = await sqs.send(command);
    return Object.values(Attributes).reduce((sum, text) => sum + Number(text), 0);
  } catch (error) {
    if (error instanceof Error && error.name.includes("QueueDoesNotExist")) return 0;
    throw error;
  }
};

export const bodies = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
