import { calm } from "../../test/support/simulator/disturbance.ts";
import { type SimulatedNetwork, simulate } from "../../test/support/simulator/network.ts";
import { mesh, networkOf } from "../../test/support/simulator/topologies.ts";
import { countedPorts, type Service } from "./counted-ports.ts";

type Calls = Readonly<Record<Service | "sum", number>>;

/** What control of all brokers together calls for a destination, of so many. */
export interface ControlCalls {
  readonly what: string;
  readonly destinations: number;
  readonly callsPerDestination: Calls;
}

export const brokers = 5;
const [second, minute] = [1_000, 60_000];

/** Five brokers, each linked with each; every destination has a consumer at one of them. Calls are counted, the clock is virtual. */
export const countControl = async (sizes: readonly number[], say: (line: string) => void): Promise<readonly ControlCalls[]> => {
  const counted: (readonly ControlCalls[])[] = [];
  for (const size of sizes) {
    say(`counting calls of control: ${size} destinations at ${brokers} brokers`);
    counted.push(await countAt(size));
  }
  return (counted[0] ?? []).flatMap((_, scene) => counted.flatMap((some) => some[scene] ?? []));
};

const countAt = async (destinations: number): Promise<readonly ControlCalls[]> => {
  const tally = newTally();
  const net = await simulate(networkOf(mesh(brokers)), {
    disturbance: {
      ...calm,
      control: (ports, records) => {
        tally.count("lambda");
        // The event source's receive and delete; the tick comes by itself.
        if ((records as readonly unknown[]).length > 0) tally.count("sqs", 2);
        return { ports: countedPorts(ports, tally.count), hasDied: () => false };
      },
    },
  });
  const counted: ControlCalls[] = [];
  for (const { what, of, play } of scenes(destinations)) {
    tally.takePer(1);
    await play(net);
    counted.push({ what, destinations, callsPerDestination: tally.takePer(of) });
  }
  const [problem] = net.problems();
  if (problem !== undefined) throw new Error(`control failed during the run, so its figures mean nothing: ${problem}`);
  return counted;
};

interface Scene {
  readonly what: string;
  /** For so many destinations, or destinations and minutes. */
  readonly of: number;
  play(net: SimulatedNetwork): Promise<void>;
}

/** Minutes. */
const upkeep = 5;

/** The first three are over before a tick. */
const scenes = (destinations: number): readonly Scene[] => [
  {
    what: "it is consumed for the first time, with all others",
    of: destinations,
    play: async (net) => {
      for (let one = 0; one < destinations / ofConnection; one += 1) await connectOne(net, one);
      await net.run(20 * second);
    },
  },
  { what: "one queue more is consumed", of: 1, play: (net) => consumeOne(net, "queue://one.more") },
  { what: "one topic more is consumed", of: 1, play: (net) => consumeOne(net, "topic://one.more") },
  { what: "a minute of upkeep", of: upkeep * destinations, play: (net) => net.run(upkeep * minute) },
  {
    what: "a broker is deployed anew, until a minute after",
    of: destinations,
    play: async (net) => {
      await net.deploy("a");
      await net.run(minute);
    },
  },
];

const consumeOne = async (net: SimulatedNetwork, destination: string): Promise<void> => {
  await net.connect("a").consume(destination);
  await net.run(18 * second);
};

/** A connection's consumers. */
const consumersOf = (index: number) => [
  { destination: `queue://orders.${index}` },
  { destination: `queue://refunds.${index}`, selector: "amount > 100", prefetchSize: 10 },
  { destination: `topic://prices.${index}` },
  { destination: `topic://audit.${index}`, durable: { clientID: `client-${index}`, subscriptionName: "audit" } },
];
const ofConnection = consumersOf(0).length;

const connectOne = async (net: SimulatedNetwork, index: number): Promise<void> => {
  const client = net.connect("abcde"[index % brokers] ?? "");
  await client.consumeAll(consumersOf(index));
  client.pause(); // nobody sends anything
};

const newTally = () => {
  let calls: Record<Service, number> = { sqs: 0, sns: 0, dynamodb: 0, lambda: 0 };
  return {
    count: (service: Service, n = 1): void => {
      calls[service] += n;
    },
    takePer: (destinations: number): Calls => {
      const { sqs, sns, dynamodb, lambda } = calls;
      calls = { sqs: 0, sns: 0, dynamodb: 0, lambda: 0 };
      const per = (n: number): number => n / destinations;
      return { sqs: per(sqs), sns: per(sns), dynamodb: per(dynamodb), lambda: per(lambda), sum: per(sqs + sns + dynamodb + lambda) };
    },
  };
};
