import { startEmulators } from "./emulators.ts";
import { type Clients, clientsFor, destroyClients, type Endpoints } from "./endpoints.ts";
import { type EventSources, eventSources } from "./event-sources.ts";
import { type Functions, localFunctions } from "./functions.ts";
import { startServices } from "./services/server.ts";

/** The services of AWS that a network needs, in this process and still empty. */
export interface EmbeddedAws {
  readonly endpoints: Endpoints;
  readonly functions: Functions;
  readonly eventSources: EventSources;
  /** Plain SDK clients of a region; they end with the services. */
  clientsFor(region: string): Clients;
  /** Waits for functions at work, then closes every socket. */
  stop(): Promise<void>;
}

/** Where to call in place of the services: something that stands before them. */
export type StandsBefore = (services: Endpoints) => Promise<Endpoints>;

/** Takes three ports in a row from `port`, or any three for 0. */
export const startAws = async (port: number, before: StandsBefore = async (services) => services): Promise<EmbeddedAws> => {
  const functions = localFunctions();
  const sources = eventSources();
  const emulators = await startEmulators({ port });
  const services = await startServices(functions, sources, port && port + 2).catch(async (cause) => {
    await emulators.stop();
    throw cause;
  });
  const { sqs, sns, dynamodb } = emulators;
  const endpoints = await before({ sqs, sns, dynamodb, ssm: services.address, lambda: services.address });
  const clients = new Map<string, Clients>();
  return {
    endpoints,
    functions,
    eventSources: sources,
    clientsFor(region) {
      const known = clients.get(region) ?? clientsFor(endpoints, region);
      clients.set(region, known);
      return known;
    },
    async stop() {
      await sources.stop();
      await functions.stop();
      for (const known of clients.values()) destroyClients(known);
      await Promise.all([services.stop(), emulators.stop()]);
    },
  };
};
