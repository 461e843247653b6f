import { once } from "../../../client/once.ts";
import { memoryStore } from "../../../client/once-stores.ts";
import { destinationKey } from "../../../core/destination/destination.ts";
import type { Message } from "../../../core/message/message.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import type { Ledger } from "../ledger.ts";

const handlerTimeout = 30_000;

/** Clients and what they read, told to the ledger. Those of a `once` cell run it behind one guard, wherever they are. */
export const readersOf = (net: SimulatedNetwork, book: Ledger) => {
  const clients: { readonly client: SimulatedClient; readonly destination: string; readonly stays: boolean }[] = [];
  const gone = new Set<SimulatedClient>();
  const leave = async (client: SimulatedClient): Promise<void> => {
    gone.add(client);
    await client.close();
  };
  const note = (destination: string, { body, destination: from }: Message, reader = destination): void => {
    if (body.type === "text") book.received(from.kind === "queue" ? destinationKey(from) : reader, body.text);
  };
  interface Taken {
    readonly id: string;
    readonly destination: string;
    readonly message: Message;
  }
  const guard = once(({ destination, message }: Taken) => note(destination, message), {
    store: memoryStore(),
    handlerTimeout,
    now: net.now,
  });
  return {
    connect: async (at: string, destination: string, options = {}, stays = false): Promise<void> => {
      const client = net.connect(at);
      const handle = async (message: Message) => {
        const ended = await guard({ id: message.id, destination, message });
        return "later" in ended ? { later: ended.later } : ("done" as const);
      };
      await client.consume(destination, options, { acks: true, ...(destination.includes("//once.") && { handle }) });
      clients.push({ client, destination, stays });
      book.lives(client.connection, at);
    },
    of: (destination: string): readonly string[] =>
      clients.filter((one) => one.destination === destination).map(({ client }) => client.connection),
    isRead: (destination: string): boolean => clients.some((one) => one.destination === destination && !gone.has(one.client)),
    /** Those that may leave. */
    ofQueues: () =>
      clients
        .filter(({ destination, stays }) => destination.startsWith("queue://") && !stays)
        .map(({ client }) => ({ close: () => leave(client) })),
    note: (): void => {
      for (const { client, destination } of clients.filter((one) => !one.destination.includes("//once.")))
        for (const { message } of client.received) note(destination, message, client.connection);
    },
  };
};
