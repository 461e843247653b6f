import type { NetworkConnector } from "../../../core/config/slice.ts";
import type { BrokerId } from "../../../core/ids.ts";
import type { HandOver, HandOverAnswer, OutgoingEvent, PeerDemand } from "../../../core/ports.ts";
import type { MemoryPorts } from "../memory/ports.ts";
import type { Delivery } from "../memory/topics.ts";
import type { Fate } from "./disturbance.ts";

/** What happens between brokers; SQS itself delivers, and so does SNS unless a simulation says otherwise. */
export interface Weather {
  reaches(from: BrokerId, to: BrokerId): boolean;
  fate(from: BrokerId, event: OutgoingEvent): Fate;
  /** Something of one broker didn't reach the other. */
  unreached(from: BrokerId, to: BrokerId): void;
  /** Hand-overs to a peer that get no answer, and whether it has them all the same. */
  silence(from: BrokerId, to: BrokerId): Silence | undefined;
  /** Does AWS take one more call that makes or subscribes something now? */
  admitsCall(): boolean;
  readonly others: Others;
  /** A hand-over met this weather, or what SNS was to deliver. */
  met(how: "refuses" | Silence, port: "hand-over" | "delivery by SNS", about: unknown): void;
}

/** Everybody but one invocation, which hangs. */
export interface Others {
  /** Not while another one hangs already: it would hang for longer than it may run. */
  canGoOn(): boolean;
  goOn(ms: number): Promise<void>;
}

export type Silence = "hangs" | "accepts and says nothing";

const late = 20;

/** How SNS fares between two brokers whose topic and queue these are; it tries again. */
export const snsUnder =
  (weather: Weather) =>
  (topicArn: string, queueArn: string, body: string): Delivery => {
    const [from, to] = [topicArn, queueArn].map(brokerIn);
    if (from === undefined || to === undefined || from === to) return "arrives";
    const how = weather.reaches(from, to) ? weather.silence(from, to) : "refuses";
    if (how) weather.met(how, "delivery by SNS", body);
    return how ?? "arrives";
  };

const brokerIn = (arn: string): BrokerId | undefined => /:spanmq-[a-z0-9]+-([a-z0-9]+)-/.exec(arn)?.[1] as BrokerId | undefined;

const followed = (event: OutgoingEvent, fate: Fate): OutgoingEvent[] => {
  switch (fate) {
    case "arrives":
      return [event];
    case "is lost":
      return [];
    case "arrives twice":
      return [event, event];
    case "comes late":
      return [{ ...event, delaySeconds: (event.delaySeconds ?? 0) + late }];
    default:
      return fate satisfies never;
  }
};

/** One broker's ports as the weather lets them work. */
export const underWeather = (
  ports: MemoryPorts,
  weather: Weather,
  self: BrokerId,
  connectors: readonly NetworkConnector[],
): MemoryPorts => {
  const reaches = (peer: BrokerId): boolean => {
    const isReached = weather.reaches(self, peer);
    if (!isReached) weather.unreached(self, peer);
    return isReached;
  };
  const peerOf = ({ target }: HandOver): BrokerId | undefined =>
    target.to === "link" ? connectors.find(({ link }) => link === target.link)?.to : undefined;
  const isCutOff = (one: HandOver): boolean => {
    const peer = peerOf(one);
    return peer !== undefined && !weather.reaches(self, peer);
  };
  const silenceOf = (one: HandOver): Silence | undefined => {
    const peer = peerOf(one);
    return peer === undefined ? undefined : weather.silence(self, peer);
  };
  const handOver = async (one: HandOver): Promise<HandOverAnswer> => {
    if (isCutOff(one)) weather.met("refuses", "hand-over", one);
    if (isCutOff(one)) return { answer: "refused", cause: "other", why: "the connection never opened" };
    const silence = silenceOf(one);
    if (silence) weather.met(silence, "hand-over", one);
    if (silence === "hangs") return { answer: "silent", why: "no answer in 3 s" };
    const [answer] = await ports.targets.handOver([one]);
    return silence ? { answer: "silent", why: "the answer was lost" } : (answer as HandOverAnswer);
  };
  const admit = (): void => {
    if (!weather.admitsCall()) throw new Error("Rate exceeded");
  };
  return {
    ...ports,
    resources: {
      ...ports.resources,
      make: async (resource) => {
        admit();
        await ports.resources.make(resource);
      },
    },
    subscriptions: {
      ...ports.subscriptions,
      subscribe: async (topic, target) => {
        admit();
        return ports.subscriptions.subscribe(topic, target);
      },
    },
    targets: { handOver: (handOvers) => Promise.all(handOvers.map(handOver)) },
    events: {
      send: async (events) => {
        const arriving = events.filter((event) => event.to === self || reaches(event.to));
        return ports.events.send(arriving.flatMap((event) => followed(event, weather.fate(self, event))));
      },
    },
    probes: { send: async (hello) => (reaches(hello.to) ? ports.probes.send(hello) : "no-peer") },
  };
};

/** Reads of peers' tables fail while they are out of reach. */
export const peersUnderWeather = (peers: PeerDemand, weather: Weather, self: BrokerId): PeerDemand => {
  const reached = (peer: BrokerId): PeerDemand => {
    if (weather.reaches(self, peer)) return peers;
    weather.unreached(self, peer);
    throw new Error(`broker ${peer} is out of reach`);
  };
  return {
    root: async (peer) => reached(peer).root(peer),
    bucket: async (peer, bucket) => reached(peer).bucket(peer, bucket),
    item: async (peer, bucket, destination) => reached(peer).item(peer, bucket, destination),
  };
};
