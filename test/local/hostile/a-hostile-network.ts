import { readFile } from "node:fs/promises";
import { parse } from "jsonc-parser";
import { afterAll, beforeAll, vi } from "vitest";
import { type Connection, connect } from "../../../client/index.ts";
import { type Clients, clientsFor, destroyClients, type Endpoints } from "../../../local/endpoints.ts";
import { type EmbeddedNetwork, startNetwork } from "../../../local/network.ts";
import { type Hostile, hostile } from "../../support/hostile/hostile.ts";
import { seed } from "../../support/hostile/seed.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");
// What is late is waited for twice: under the faults, then in calm.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

export type BrokerName = "us" | "eu";
export const brokers = ["us", "eu"] as const;
export const other = { us: "eu", eu: "us" } as const;

/** A minute of AWS in a second. */
const timesFaster = 60;
/** What a handler died at is carried again when none can be at it any more: soon, since our clock doesn't run faster. */
const timeoutSeconds = 10;
/** In seconds of ours, which don't run faster: SNS takes up to half a minute of its own until a subscription delivers. */
const subscriptionGrace = 3;

export interface HostileNetwork {
  readonly layer: Hostile;
  running(): EmbeddedNetwork;
  connectTo(broker: BrokerName): Promise<Connection>;
  /** Clients of the broker's region past the layer, for the test's own hands. */
  direct(broker: BrokerName): Clients;
}

/** What both brokers declare besides. */
export interface Declared {
  readonly queues?: readonly string[];
  readonly topics?: readonly string[];
}

/** examples/two-regions for a test file, everybody in it behind the hostile layer; it comes up in calm. */
export const useHostileNetwork = (declared: Declared = {}): HostileNetwork => {
  const layer = hostile({ seed, timesFaster });
  const open: Connection[] = [];
  let network: EmbeddedNetwork | undefined;
  let minutes: NodeJS.Timeout | undefined;
  let hands: Readonly<Record<BrokerName, Clients>> | undefined;
  const started = <T>(thing: T | undefined): T => {
    if (!thing) throw new Error("the network starts before the first test");
    return thing;
  };
  const regionOf = (broker: BrokerName) => started(network).brokers.find(({ id }) => id === broker)?.region ?? "";

  beforeAll(async () => {
    const example = parse(await readFile("examples/two-regions/network.jsonc", "utf8"));
    for (const broker of Object.values<Record<string, unknown>>(example.brokers)) Object.assign(broker, declared, { subscriptionGrace });
    let services: Endpoints | undefined;
    const before = async (endpoints: Endpoints) => {
      services = endpoints;
      return layer.before(endpoints);
    };
    network = await startNetwork(example, { before, tick: false, timeoutSeconds });
    // A tick that fails or hangs is only a minute that brought nothing.
    const tick = (broker: BrokerName) =>
      started(network)
        .tickNow(broker)
        .catch(() => {});
    minutes = setInterval(() => brokers.map(tick), 1_000);
    const directly = (broker: BrokerName) => clientsFor(started(services), regionOf(broker));
    hands = { us: directly("us"), eu: directly("eu") };
  });
  afterAll(async () => {
    layer.calm();
    clearInterval(minutes);
    await Promise.all(open.map((connection) => connection.close()));
    for (const clients of Object.values(hands ?? {})) destroyClients(clients);
    await network?.stop();
    await layer.stop();
  });
  return {
    layer,
    running: () => started(network),
    connectTo: async (broker) => {
      const env = started(network).environmentFor(regionOf(broker));
      const connection = await connect({ network: "orders", broker, env, onProblem: () => {} });
      open.push(connection);
      return connection;
    },
    direct: (broker) => started(hands)[broker],
  };
};
