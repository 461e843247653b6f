import { distance } from "fastest-levenshtein";
import { expect } from "vitest";
import type { Left } from "../../../core/broker/sweep/left.ts";
import type { NetworkInput } from "../../../core/config/define-network.ts";
import { describeConfigFault } from "../../../core/config/fault.ts";
import type { Network } from "../../../core/config/network.ts";
import { parseNetwork } from "../../../core/config/parse-network.ts";
import { sliceFor } from "../../../core/config/slice.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { type BrokerId, brokerId, linkId } from "../../../core/ids.ts";
import { encodeProducer, encodePublish, type ProducerMessage } from "../../../core/message/encode.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { Order, OutgoingEvent } from "../../../core/ports.ts";
import { type OpenBrain, peerDemandOf } from "../memory/brain.ts";
import { memoryCloud } from "../memory/cloud.ts";
import { type SimulatedBroker, simulatedBroker } from "./broker.ts";
import { type SimulatedClient, simulatedClient } from "./client.ts";
import { calm, type Disturbance, type Fate } from "./disturbance.ts";
import { renewableBrain } from "./rows.ts";
import { peersUnderWeather, type Silence, snsUnder } from "./weather.ts";

/** What a message says besides its body. */
export type ProducedFields = Omit<ProducerMessage, "destination" | "body">;

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);

export interface SimulationOptions {
  /** Brokers whose stack isn't deployed at the start. */
  readonly absent?: readonly string[];
  /** What becomes of events to peers, one after the other and over again, until `calm`. */
  readonly fates?: readonly Fate[];
  /** What goes wrong inside brokers. */
  readonly disturbance?: Disturbance;
  /** Milliseconds between ticks, where a scenario takes days: a minute. */
  readonly tickEvery?: number;
  /** From Subscribe until SNS delivers to the subscription. */
  readonly subscriptionLagMs?: number;
  /** Milliseconds that go by before anybody comes: enough for the links to start. */
  readonly startFor?: number;
  /** Calls a second that make or subscribe something, of all brokers together: what is more is refused, "Rate exceeded". */
  readonly callsPerSecond?: number;
  /** Cuts and silences between brokers are SNS's, too. @default false */
  readonly snsHasWeather?: boolean;
}

/** A whole network in one process on a virtual clock: real use cases, memory ports. Nothing happens between calls of `run`. */
export const simulate = async (
  input: NetworkInput,
  {
    absent = [],
    fates = [],
    disturbance = calm,
    tickEvery = minute,
    subscriptionLagMs = 0,
    startFor = 3 * minute,
    callsPerSecond = Number.POSITIVE_INFINITY,
    snsHasWeather = false,
  }: SimulationOptions = {},
) => {
  let now = start;
  let nextTick = start + tickEvery;
  const network = parsed(input);
  const outOfReach = new Set<string>(absent);
  const silences = new Map<string, Silence>();
  let eventsSent = 0;
  const calls = { second: 0, made: 0, refused: 0 };
  let isCalm = false;
  let lastCommand = 0;
  let hangs = false;
  const others = {
    canGoOn: (): boolean => !hangs,
    goOn: async (ms: number): Promise<void> => {
      hangs = true;
      await run(ms);
      hangs = false;
    },
  };
  const weather = {
    others,
    reaches: (from: BrokerId, to: BrokerId) => ![from, to, wayOf(from, to)].some((cut) => outOfReach.has(cut)),
    silence: (from: BrokerId, to: BrokerId) => silences.get(`${from} ${to}`),
    admitsCall: () => {
      const second = Math.floor(now / 1_000);
      if (second !== calls.second) Object.assign(calls, { second, made: 0 });
      const isAdmitted = calls.made < callsPerSecond;
      if (isAdmitted) calls.made += 1;
      else calls.refused += 1;
      return isAdmitted;
    },
    met: disturbance.weathered,
    unreached: disturbance.unreached,
    fate: (from: BrokerId, event: OutgoingEvent) =>
      (isCalm || from === event.to ? undefined : fates[eventsSent++ % fates.length]) ?? disturbance.fate(from, event),
  };
  const cloud = memoryCloud(() => now, { subscriptionLagMs, ...(snsHasWeather && { delivery: snsUnder(weather) }) });
  const brains = new Map(network.brokers.map(({ id }) => [id, renewableBrain(`table-${id}`)]));
  const brokerOf = (of: Network, id: BrokerId, brain: OpenBrain, life?: SimulatedBroker["life"]): SimulatedBroker =>
    simulatedBroker(cloud, sliceFor(of, id), peersUnderWeather(peerDemandOf(brains), weather, id), brain, weather, disturbance, life);
  const brokers = new Map<string, SimulatedBroker>([...brains].map(([id, brain]) => [id, brokerOf(network, id, brain)]));
  const clients: SimulatedClient[] = [];
  const broker = (id: string): SimulatedBroker => {
    const found = brokers.get(id);
    if (!found) throw new Error(`no broker ${id} in this network`);
    return found;
  };

  const step = async (): Promise<boolean> => {
    const worked: boolean[] = [cloud.topics.retry()];
    for (const each of brokers.values()) worked.push(await each.step());
    for (const client of clients) worked.push(await client.step());
    return worked.includes(true);
  };

  const turnTick = async () => {
    nextTick += tickEvery;
    for (const client of clients) await client.renew();
    for (const each of brokers.values()) await each.tick();
  };

  /** Lets everything happen that is due within this time. */
  const run = async (ms = 3 * minute): Promise<void> => {
    const until = now + ms;
    for (;;) {
      while (await step());
      const never = Number.POSITIVE_INFINITY;
      const { queues, topics } = cloud;
      const due = [queues.nextVisibleAt() ?? never, topics.nextRetryAt() ?? never, nextTick, ...clients.map(({ doneAt }) => doneAt())];
      const next = Math.min(...due);
      if (next > until) break;
      now = Math.max(now, next);
      if (now >= nextTick) await turnTick();
    }
    now = Math.max(now, until);
  };

  let fresh = 0;
  const freshOrder = (body: string): Order => ({ group: body.replace(/-[^-]*$/, ""), deduplicationId: `fresh-${++fresh}` });

  const wire = (body: string, destination?: string): WireMessage => ({
    body,
    attributes: destination === undefined ? {} : { destination: { type: "String", value: destination } },
  });

  const produced = (destination: string, text: string, fields: ProducedFields): ProducerMessage => ({
    destination: destinationOf(destination),
    body: { type: "text", text },
    ...fields,
  });

  for (const [id, each] of brokers) if (!outOfReach.has(id)) await each.deploy();
  await run(startFor);

  return {
    cloud,
    brokers: () => [...brokers.values()],
    broker,
    run,
    now: () => now,
    /** Nothing reaches this broker or comes from it, but what SNS delivers unless it has weather; with two, nothing passes between them. */
    cut: (id: string, other?: string): void => void outOfReach.add(other === undefined ? id : wayOf(id, other)),
    heal: (id: string, other?: string): void => void outOfReach.delete(other === undefined ? id : wayOf(id, other)),
    /** Hand-overs from one broker to the other get no answer; without a silence they get one again. Probes and events pass. */
    hush: (from: string, to: string, silence?: Silence): void => {
      if (silence) silences.set(`${from} ${to}`, silence);
      else silences.delete(`${from} ${to}`);
    },
    /** Calls that were refused, so far. */
    refusedCalls: (): number => calls.refused,
    /** From now on events to peers arrive. */
    calm: (): void => {
      isCalm = true;
    },
    deploy: async (id: string): Promise<void> => {
      outOfReach.delete(id);
      await broker(id).deploy();
    },
    /** Deploys a broker that stands with another configuration, and waits by `sleep`; answers why that was refused, if it was. */
    redeploy: async (id: string, next: NetworkInput, sleep: (ms: number) => Promise<void> = run): Promise<string | undefined> => {
      const [before, after] = [broker(id), brokerOf(parsed(next), brokerId(id), broker(id).brain, broker(id).life)];
      const takesOver = () => {
        after.ports.passes.orders.push(...before.ports.passes.orders.splice(0));
        brokers.set(id, after);
      };
      const refusal = await after.update(before.stack, sleep, takesOver);
      if (refusal !== undefined) expect(await before.update(after.stack, sleep, () => {})).toBeUndefined(); // it is rolled back
      return refusal;
    },
    /** Ends a broker as `cdk destroy` does; answers what is left, and then it works on. */
    destroy: async (id: string): Promise<readonly Left[]> => {
      const left = await broker(id).sweep(run);
      if (left.length > 0) return left;
      broker(id).removeStack();
      brains.get(brokerId(id))?.renew();
      for (const client of clients.filter(({ broker }) => broker === id)) client.goSilent(); // nobody listens to it
      return left;
    },
    /** A backup of a broker's table as it is now: calling it restores that, as another table. */
    backUp: (at: string): (() => void) => brains.get(brokerId(at))?.backUp() ?? (() => {}),
    /** The rows of a broker's table and their bytes. */
    rows: (at: string): ReadonlyMap<string, number> => brains.get(brokerId(at))?.rows() ?? new Map(),
    /** `about`: what its connection is named by, too. */
    connect: (at: string, ...about: readonly string[]): SimulatedClient => {
      const client = simulatedClient(cloud, broker(at), [`conn${clients.length + 1}`, ...about].join("-"), disturbance);
      clients.push(client);
      return client;
    },
    /** A plain producer: to the ingress queue, the destination in an attribute. With `fields` it is our client. */
    send: (at: string, destination: string, bodies: readonly string[], fields?: ProducedFields): void => {
      const { where } = broker(at);
      for (const body of bodies) {
        const message = fields ? encodeProducer(produced(destination, body, fields)) : wire(body, destination);
        cloud.queues.send(where.own.queueArn(where.own.ingressQueue), message);
      }
    },
    /** The same to a FIFO destination: the group of a body is what precedes its dash, unless `orderOf` says more. */
    sendInOrder: (at: string, destination: string, bodies: readonly string[], orderOf: (body: string) => Order = freshOrder): void => {
      const { where } = broker(at);
      for (const body of bodies)
        cloud.queues.send(where.own.queueArn(where.own.ingressFifoQueue), wire(body, destination), { order: orderOf(body) });
    },
    /** A plain `sns.publish` to a FIFO topic. */
    publishInOrder: (at: string, topic: string, bodies: readonly string[], orderOf: (body: string) => Order = freshOrder): void => {
      for (const body of bodies) cloud.topics.publish(broker(at).where.topicOf(destinationOf(topic)).arn, wire(body), orderOf(body));
    },
    /** A plain producer straight to a queue. With `fields` it is our client. */
    sendDirect: (at: string, queue: string, bodies: readonly string[], fields?: ProducedFields): void => {
      const { arn } = broker(at).where.queueOf({ to: "queue", destination: destinationOf(queue) });
      for (const body of bodies) cloud.queues.send(arn, fields ? encodePublish(produced(queue, body, fields)) : wire(body));
    },
    sendDirectInOrder: (at: string, queue: string, bodies: readonly string[], orderOf: (body: string) => Order = freshOrder): void => {
      const { arn } = broker(at).where.queueOf({ to: "queue", destination: destinationOf(queue) });
      for (const body of bodies) cloud.queues.send(arn, wire(body), { order: orderOf(body) });
    },
    /** A plain `sns.publish` without any attribute. With `fields` it is our client. */
    publish: (at: string, topic: string, bodies: readonly string[], fields?: ProducedFields): void => {
      for (const body of bodies) {
        const message = fields ? encodePublish(produced(topic, body, fields)) : wire(body);
        cloud.topics.publish(broker(at).where.topicOf(destinationOf(topic)).arn, message);
      }
    },
    /** What stands in a queue. */
    standing: (at: string, queue: string): readonly WireMessage[] =>
      cloud.queues.peek(broker(at).where.queueOf({ to: "queue", destination: destinationOf(queue) }).arn) ?? [],
    depth: (at: string, queue: string): number => {
      const depth = cloud.queues.depth(broker(at).where.queueOf({ to: "queue", destination: destinationOf(queue) }).arn);
      return depth ? depth.visible + depth.inFlight + depth.delayed : 0;
    },
    privateDepth: (at: string, connection: string, consumer: string): number => {
      const depth = cloud.queues.depth(broker(at).where.queueOf({ to: "own-queue", queue: `${connection}.${consumer}` }).arn);
      return depth ? depth.visible + depth.inFlight + depth.delayed : 0;
    },
    deadLetters: (at: string): readonly WireMessage[] =>
      cloud.queues.peek(broker(at).where.own.queueArn(broker(at).where.own.deadLettersQueue)),
    /** An operator's command to a broker about a link of its own. */
    command: async (at: string, connector: string, run: "start" | "stop"): Promise<void> => {
      const { ports, slice } = broker(at);
      const link = linkId(slice.broker, connector);
      lastCommand = Math.max(lastCommand + 1, now);
      await ports.events.send([{ to: slice.broker, event: { event: "command", link, run, counter: lastCommand } }]);
    },
    /** Demand that this broker holds for its links on a destination: what routing sees. */
    linkCandidates: async (at: string, destination: string) =>
      ((await broker(at).brain.read("view", "", destination))?.value.candidates ?? []).filter(({ to }) => to === "link"),
    problems: (): string[] => [...brokers.values()].flatMap(({ problems }) => problems),
    crossings: (from: string, to: string): number =>
      broker(to).outcomes.filter(({ cameBy, messageId }) => messageId !== undefined && cameBy?.startsWith(`${brokerId(from)}:`)).length,
  };
};
export type SimulatedNetwork = Awaited<ReturnType<typeof simulate>>;

const parsed = (input: NetworkInput): Network => {
  const read = parseNetwork(input, { distance, account: "000000000000" });
  if (!read.ok) throw new Error(read.faults.map(describeConfigFault).join("\n"));
  return read.network;
};

const wayOf = (one: string, other: string): string => [one, other].toSorted().join(" ");

export const bodies = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Bodies that begin so, wherever they stand: resting places, private queues, dead letters, doors. */
export const standing = ({ cloud }: Pick<SimulatedNetwork, "cloud">, prefix: string): string[] =>
  cloud.queues
    .arns()
    .filter((arn) => !arn.endsWith("sys-control"))
    .flatMap((arn) => cloud.queues.peek(arn).map(({ body }) => body))
    .filter((body) => body.startsWith(prefix));
