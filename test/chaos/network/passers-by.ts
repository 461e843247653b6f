import type { SimulatedClient } from "../../support/simulator/client.ts";
import type { SimulatedNetwork } from "../../support/simulator/network.ts";

/** Subscribers that nothing is owed to, since they leave when they like. */
export const passersBy = (net: SimulatedNetwork) => {
  const clients: SimulatedClient[] = [];
  return {
    here: (): readonly SimulatedClient[] => clients,
    owns: (arn: string): boolean => clients.some(({ connection }) => arn.includes(`-s-${connection}-`)),
    join: async (at: string, topic: string): Promise<void> => {
      const client = net.connect(at);
      await client.consume(topic);
      clients.push(client);
    },
  };
};
