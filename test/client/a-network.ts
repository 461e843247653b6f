import { afterAll, beforeAll, expect, vi } from "vitest";
import { type Connection, connect } from "../../client/index.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { type Clients, clientsFor, destroyClients, type Endpoints } from "../../local/endpoints.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import type { FaultName } from "../support/hostile/faults.ts";
import { hostile } from "../support/hostile/hostile.ts";
import { seed } from "../support/hostile/seed.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

/** Two regions with a duplex connector for everything; subscriptions count as effective at once, as they are on the emulator. */
export const twoRegions = (us: object = {}): NetworkInput => ({
  network: "test",
  brokers: {
    us: { region: "us-east-1", subscriptionGrace: 0, networkConnectors: [{ name: "us-eu", to: "eu", duplex: true }], ...us },
    eu: { region: "eu-west-1", subscriptionGrace: 0 },
  },
});

/**
 * Faults that leave a message's one arrival alone: these suites count arrivals, and until doubles are detected nothing that makes them
 * (doubles, two-handlers, after-delete, lost-answers) may strike. What lagging-depths and partial-failures delay comes by the minute here.
 */
const mild: readonly FaultName[] = ["throttling", "reorder"];

/** One network for a test file, behind hostile ports, and connections that end with it. Without `tick` no minute passes by itself. */
export const useNetwork = (input: NetworkInput, faults = mild, tick = true) => {
  const layer = hostile({ seed, sparesLastAttempt: true });
  const hands = new Map<string, Clients>();
  let services: Endpoints | undefined;
  let network: EmbeddedNetwork | undefined;
  const open: Connection[] = [];
  beforeAll(async () => {
    const before = (endpoints: Endpoints) => {
      services = endpoints;
      return layer.before(endpoints);
    };
    network = await startNetwork(input, { before, tick });
    layer.ask(faults);
  });
  afterAll(async () => {
    layer.calm();
    await Promise.all(open.map((connection) => connection.close()));
    for (const clients of hands.values()) destroyClients(clients);
    await network?.stop();
    await layer.stop();
    expect(layer.unfired(), `hostile ports, seed ${seed}`).toEqual([]);
  });
  const running = (): EmbeddedNetwork => {
    if (!network) throw new Error("the network starts before the first test");
    return network;
  };
  const regionOf = (broker: string): string => running().brokers.find(({ id }) => id === broker)?.region ?? "";
  return {
    running,
    /** Past the hostile layer: the test's own hands. */
    clients: (broker: string) => {
      const known = hands.get(broker) ?? clientsFor(services ?? running().endpoints, regionOf(broker));
      hands.set(broker, known);
      return known;
    },
    env: (broker: string) => running().environmentFor(regionOf(broker)),
    connectTo: async (broker: string, problems: Error[] = [], clientID?: string): Promise<Connection> => {
      const connection = await connect({
        ...(clientID !== undefined && { clientID }),
        network: "test",
        broker,
        env: running().environmentFor(regionOf(broker)),
        onProblem: (problem) => void problems.push(problem),
      });
      open.push(connection);
      return connection;
    },
  };
};
