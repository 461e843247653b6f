import { type Connection, connect } from "../../../client/index.ts";
import { type Clients, clientsFor, destroyClients, type Endpoints } from "../../../local/endpoints.ts";
import { startNetwork } from "../../../local/network.ts";
import type { Call, Fate } from "../../support/hostile/call.ts";
import type { Layer } from "../../support/hostile/fault.ts";
import { type Hostile, type HostileOptions, hostile } from "../../support/hostile/hostile.ts";
import { type Lot, type MortalOptions, mortalFunctions } from "./mortal-functions.ts";
import { type Mood, type PeerMoods, peerMoods } from "./peer-moods.ts";

export const brokers = ["us", "eu"] as const;
export type BrokerName = (typeof brokers)[number];
export const regions = { us: "us-east-1", eu: "eu-west-1" } as const;
export const networkName = "chaos";

type Gate = PeerMoods["gate"];

/** A minute of AWS in a second. */
const timesFaster = 60;
/** What a handler died at is carried again when none can be at it any more: in seconds of ours, which don't run faster. */
const timeoutSeconds = 10;

export interface StandingNetwork {
  readonly layer: Hostile;
  readonly peers: Pick<PeerMoods, "turn">;
  connectTo(broker: BrokerName): Promise<Connection>;
  /** Clients past the layer: a producer that sends once, and the judge's own eyes. */
  direct(broker: BrokerName): Clients;
  stop(): Promise<void>;
}

export interface StandOptions extends Pick<HostileOptions, "seed"> {
  readonly onStrike: (fault: string, call: Call) => void;
  readonly onDeath: MortalOptions["onDeath"];
  /** A call of the living met its fate. `event`: of the invocation whose call it is. */
  readonly onFate: (call: Call, fate: Fate, event: unknown) => void;
  readonly bridge: { readonly source: string; readonly target: string };
  readonly orderedQueue: string;
  /** What befalls an invocation with this event. */
  readonly lotOf: (event: unknown) => Lot | undefined;
  /** Where services are, past the layer. */
  readonly onServices: (services: Endpoints) => void;
  readonly onMood: (mood: Mood, call: Call) => void;
}

/** Two regions and a JMS bridge on the embedded runtime, everybody in it behind the hostile layer; it comes up in calm. */
export const standUp = async ({
  seed,
  bridge,
  orderedQueue,
  onStrike,
  lotOf,
  onDeath,
  onMood,
  onServices,
  onFate,
}: StandOptions): Promise<StandingNetwork> => {
  process.env.POWERTOOLS_LOG_LEVEL = "SILENT";
  process.env.POWERTOOLS_METRICS_DISABLED = "true";
  let services: Endpoints | undefined;
  const functions = mortalFunctions({ lotOf, onDeath });
  const peers = peerMoods(onMood);
  const watch: Gate = async (call, next) => {
    const event = functions.eventOf(call);
    const fate = await next(call).catch((error: unknown) => {
      onFate(call, "lost", event);
      throw error;
    });
    onFate(call, fate, event);
    return fate;
  };
  const gates = [functions.gate, peers.gate, watch];
  const gate: Gate = (call, next) => gates.reduceRight<Layer>((inner, one) => (passed) => one(passed, inner), next)(call);
  const layer = hostile({ seed, timesFaster, onStrike, gate });
  const broker = { subscriptionGrace: 3, queues: [orderedQueue] };
  const network = await startNetwork(
    {
      network: networkName,
      brokers: { us: { region: regions.us, ...broker }, eu: { region: regions.eu, ...broker } },
      links: ["us <-> eu"],
      jmsBridges: [
        {
          name: "chaos",
          source: { broker: "us", destination: bridge.source },
          target: { broker: "us", destination: bridge.target },
          qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
          maxBatchSize: 10,
          maxBatchTime: 1,
          failureRetryInterval: 1_000,
        },
      ],
    },
    {
      before: async (endpoints) => {
        services = endpoints;
        onServices(endpoints);
        return layer.before(endpoints);
      },
      load: functions.load,
      tick: false,
      timeoutSeconds,
    },
  );
  const hands = Object.fromEntries(brokers.map((broker) => [broker, clientsFor(services as Endpoints, regions[broker])]));
  // A tick that fails or hangs is only a minute that brought nothing.
  const minutes = setInterval(() => brokers.map((broker) => network.tickNow(broker).catch(() => {})), 1_000);
  const open: Connection[] = [];
  return {
    layer,
    peers,
    connectTo: async (broker) => {
      const env = network.environmentFor(regions[broker]);
      const connection = await connect({ network: networkName, broker, env, onProblem: () => {} });
      open.push(connection);
      return connection;
    },
    direct: (broker) => hands[broker] as Clients,
    stop: async () => {
      layer.calm();
      clearInterval(minutes);
      await Promise.allSettled(open.map((connection) => connection.close())); // all is judged: who isn't heard leaves unheard
      for (const clients of Object.values(hands)) destroyClients(clients);
      await network.stop();
      await layer.stop();
    },
  };
};
