import { expect } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf, type Particulars } from "../../support/simulator/topologies.ts";

export interface Scenario {
  readonly ways: string;
  readonly connector?: Connector;
  readonly particulars?: Particulars;
  readonly destination: string;
  /** Consumers by broker. */
  readonly consumers: Readonly<Record<string, number>>;
  /** Messages by broker that they are sent at. */
  readonly sends: Readonly<Record<string, number>>;
}

/** A row of a table: what consumers got, by broker. */
export interface Played extends Omit<Scenario, "destination"> {
  readonly rule: string;
  readonly got: Readonly<Record<string, number>>;
}

/** Consumers first, each with its own connection, then messages. Answers how many each broker's consumers got, and never sees one twice. */
export const play = async (scenario: Scenario): Promise<Readonly<Record<string, number>>> => {
  const net = await simulate(networkOf(scenario.ways, scenario.connector, scenario.particulars));
  const clients = await consumersOf(net, scenario);
  await net.run();
  for (const [at, count] of Object.entries(scenario.sends)) {
    if (scenario.destination.startsWith("queue://")) net.send(at, scenario.destination, bodies(at, count));
    else await publish(net, at, scenario.destination, bodies(at, count));
  }
  await net.run();
  expect(net.problems()).toEqual([]);
  for (const { client } of clients) expect(new Set(client.bodies()).size).toBe(client.bodies().length);
  return Object.fromEntries(
    Object.keys(scenario.consumers).map((id) => [id, clients.flatMap(({ at, client }) => (at === id ? client.received : [])).length]),
  );
};

const consumersOf = async (net: SimulatedNetwork, { destination, consumers }: Scenario) => {
  const clients: { readonly at: string; readonly client: SimulatedClient }[] = [];
  for (const [at, count] of Object.entries(consumers)) {
    for (let n = 0; n < count; n += 1) {
      const client = net.connect(at);
      await client.consume(destination);
      clients.push({ at, client });
    }
  }
  return clients;
};

/** A topic that nobody there wanted yet is made on first use: by a message through the ingress. */
const publish = async (net: SimulatedNetwork, at: string, topic: string, texts: readonly string[]) => {
  const exists = await net.broker(at).brain.read("destination", "", topic);
  if (exists) net.publish(at, topic, texts);
  else net.send(at, topic, texts);
};

/** Subscriptions on a queue, the way ActiveMQ counts them: each local consumer, and what each link stands for. */
export const subscriptionsOn = async (net: SimulatedNetwork, at: string, queue: string): Promise<number> => {
  const view = await net.broker(at).brain.read("view", "", queue);
  return (view?.value.candidates ?? []).reduce((sum, { weight }) => sum + weight, 0);
};
