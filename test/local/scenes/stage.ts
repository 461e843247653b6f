import { GetQueueAttributesCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { ExpectStatic } from "vitest";
import { dynamoBrain } from "../../../aws/brain.ts";
import { sha256 } from "../../../aws/keys.ts";
import type { BrowseOptions, Connection, ConsumeOptions, ReceivedMessage, SendOptions, SubscribeOptions } from "../../../client/index.ts";
import { viewLife } from "../../../core/broker/control/views.ts";
import { addressesOf } from "../../../core/destination/addresses.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import type { BrokerPlace } from "../../../core/destination/place.ts";
import { linkId } from "../../../core/ids.ts";
import type { Clients } from "../../../local/endpoints.ts";
import { patiently } from "../../support/eventually.ts";
import { ownConnector, ownName, type Placed } from "./scene.ts";

/** Somebody who consumes. */
export interface Reader {
  readonly received: ReceivedMessage[];
  /** What came so far, in any order. */
  texts(): readonly string[];
  readonly connection: Connection;
  close(): Promise<void>;
}

export type ReadOptions = ConsumeOptions & SubscribeOptions & { readonly durable?: string };

/** The network that scenes are played on, in this process or deployed. Brokers go by the names they have in scenes. */
export interface Ground {
  readonly network: string;
  /** Where a broker is, and what it is called there. */
  place(at: string): BrokerPlace;
  /** The test's own hands. */
  clients(at: string): Pick<Clients, "sqs" | "dynamodb">;
  connectTo(at: string, problems: Error[], clientID?: string): Promise<Connection>;
  /** Lets a minute pass. */
  tick(at: string): Promise<void>;
}

export type Stage = ReturnType<typeof stageOf>;

/** What a scene plays on. Destinations are written without what makes them the scene's own. */
export const stageOf = (network: Ground, { group, prefix }: Placed, expect: ExpectStatic) => {
  const own = (text: string): string => ownName(prefix, text);
  const isQueue = (text: string): boolean => text.startsWith("queue://");
  const addresses = (at: string) => addressesOf(network.network, network.place(at), sha256);
  const brainOf = (at: string) => dynamoBrain({ dynamo: network.clients(at).dynamodb, table: addresses(at).brainTable, now: Date.now });
  const depthOf = async (at: string, name: string): Promise<number> => {
    const command = new GetQueueAttributesCommand({
      QueueUrl: addresses(at).queueUrl(name),
      AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"],
    });
    const { Attributes = {} } = await network.clients(at).sqs.send(command);
    return Object.values(Attributes).reduce((sum, text) => sum + Number(text), 0);
  };
  const producers = new Map<string, Promise<Connection>>();
  const producerAt = (at: string): Promise<Connection> => {
    const known = producers.get(at) ?? network.connectTo(at, []);
    producers.set(at, known);
    return known;
  };

  return {
    expect,
    /** Waits for what becomes true by itself; not too eagerly, since others wait too. */
    eventually: <T>(read: () => T) => expect.poll(read, { ...patiently, interval: 200 }),
    own,
    /** A consumer with a connection of its own, in effect when this resolves. */
    read: async (at: string, destination: string, { durable, ...options }: ReadOptions = {}): Promise<Reader> => {
      const connection = await network.connectTo(at, [], durable && `client-${prefix}`);
      const received: ReceivedMessage[] = [];
      const take = (message: ReceivedMessage) => void received.push(message);
      if (isQueue(destination)) await connection.consume(own(destination), take, options);
      else if (durable === undefined) await connection.subscribe(own(destination), take, options);
      else await connection.subscribeDurable(own(destination), durable, take, options);
      await connection.ready({ timeout: patiently.timeout });
      return { received, texts: () => received.map(({ text }) => text).toSorted(), connection, close: () => connection.close() };
    },
    unsubscribe: async (at: string, durable: string): Promise<void> =>
      (await network.connectTo(at, [], `client-${prefix}`)).unsubscribe(durable),
    /** By a client: to a queue over its broker's ingress, to a topic itself. */
    send: async (at: string, destination: string, texts: readonly string[], options: SendOptions = {}): Promise<void> => {
      const producer = await producerAt(at);
      const send = isQueue(destination) ? producer.send : producer.publish;
      for (const text of texts) await send(own(destination), text, options);
    },
    browse: async (at: string, queue: string, options: BrowseOptions = {}): Promise<readonly string[]> =>
      (await (await producerAt(at)).browse(own(queue), options)).map(({ text }) => text).toSorted(),
    /** Messages in a queue of the broker, in flight ones included. */
    depth: (at: string, queue: string): Promise<number> => depthOf(at, addresses(at).queue(destinationOf(own(queue)).name)),
    /** Messages that wait for a link alone. */
    undelivered: (at: string, to: string): Promise<number> => depthOf(at, addresses(at).undeliveredQueue(ownConnector(group, `to-${to}`))),
    /** Subscriptions on a destination, the way ActiveMQ counts them, as each instance of dispatch knows them; links alone of a topic. */
    subscriptions: async (at: string, destination: string): Promise<number | "in flux"> => {
      const view = await brainOf(at).read("view", "", own(destination));
      if (view && view.value.changedAt + viewLife > Date.now()) return "in flux";
      return (view?.value.candidates ?? []).reduce((sum, { weight }) => sum + weight, 0);
    },
    /** An operator's word to a connector, as the docs give it. */
    command: async (at: string, to: string, run: "start" | "stop"): Promise<void> => {
      const link = linkId(addresses(at).place.id, ownConnector(group, `to-${to}`));
      const MessageBody = JSON.stringify({ event: "command", link, run, counter: Date.now() });
      await network
        .clients(at)
        .sqs.send(new SendMessageCommand({ QueueUrl: addresses(at).queueUrl(addresses(at).controlQueue), MessageBody }));
      await expect.poll(async () => (await brainOf(at).read("link", "", link))?.value.commanded?.run, patiently).toBe(run);
    },
    tick: network.tick,
  };
};

export const bodies = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
