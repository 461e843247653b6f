import { afterAll, beforeAll, vi } from "vitest";
import { type Connection, connect } from "../../client/index.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";

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

/** One network for a test file, and connections that end with it. */
export const useNetwork = (input: NetworkInput) => {
  let network: EmbeddedNetwork | undefined;
  const open: Connection[] = [];
  beforeAll(async () => {
    network = await startNetwork(input);
  });
  afterAll(async () => {
    await Promise.all(open.map((connection) => connection.close()));
    await network?.stop();
  });
  const running = (): EmbeddedNetwork => {
    if (!network) throw new Error("the network starts before the first test");
    return network;
  };
  const regionOf = (broker: string): string => running().brokers.find(({ id }) => id === broker)?.region ?? "";
  return {
    running,
    clients: (broker: string) => running().clientsFor(regionOf(broker)),
    env: (broker: string) => running().environmentFor(regionOf(broker)),
    connectTo: async (broker: string, problems: Error[] = []): Promise<Connection> => {
      const connection = await connect({
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
