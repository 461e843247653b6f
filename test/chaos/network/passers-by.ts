import type { SimulatedClient } from "../../support/simulator/client.ts";
import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import type { Cell } from "../cells.ts";

/** Subscribers that nothing is owed to, since they leave when they like. */
export const passersBy = (net: SimulatedNetwork) => {
  const clients: SimulatedClient[] = [];
  const gone: SimulatedClient[] = [];
  const unknown: SimulatedClient[] = [];
  const leave = async (client: SimulatedClient): Promise<void> => {
    gone.push(client);
    await client.close();
  };
  return {
    here: () => clients.map((client) => ({ close: () => leave(client) })),
    /** A table was restored from before they came: of those that left meanwhile nobody can know, their queues stay. */
    forgottenAt: (at: string): void => void unknown.push(...gone.filter(({ broker }) => broker === at)),
    areNobodys: (arn: string): boolean => unknown.some(({ connection }) => arn.includes(`-s-${connection.replaceAll("-", "_-")}-`)),
    /** Its connection is named by the cell, so that what becomes of its queue counts there. */
    join: async (at: string, topic: string, cell: Cell): Promise<void> => {
      const client = net.connect(at, cell.replace(".", "-"));
      await client.consume(topic);
      clients.push(client);
    },
  };
};
