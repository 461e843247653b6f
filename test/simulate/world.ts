import type { BrokerSlice, NetworkConnector } from "../../core/config/slice.ts";
import { destinationKey, destinationOf } from "../../core/destination/destination.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import type { Message } from "../../core/message/message.ts";
import type { ProducedFields, SimulatedNetwork } from "../support/simulator/network.ts";
import { crowdOf } from "./crowd.ts";
import type { History, Step } from "./history.ts";
import { isOrdered, kindOf, partsOf } from "./model/names.ts";
import type { Picture, PicturedBroker, Way } from "./model/picture.ts";
import type { Properties } from "./model/selectors.ts";
import type { Left, Sent } from "./played.ts";
import { readFound, readLeft } from "./reading.ts";

interface How {
  readonly direct?: true;
  readonly about?: Properties;
  readonly by?: string;
  readonly group?: string;
  readonly isQuiet?: boolean;
}

const second = 1_000;
/** A peer that is away for longer is nobody's peer any more; cuts are shorter than this. */
const longLease = 1_800;

/** A simulated network as a history's steps change it, and what is known of it without asking its brokers. */
export const worldOf = (net: SimulatedNetwork, losesEvents = false) => {
  const crowd = crowdOf(net);
  const slices = net.brokers().map(({ slice }) => slice);
  const cuts = new Set<string>();
  const hushed = new Map<string, readonly [string, string]>();
  const runs = new Map<string, "start" | "stop">();
  const started = new Map<string, number>();
  const sent: Sent[] = [];
  const cutOf = (one: string, other: string): string => [one, other].toSorted().join(" ");

  const hasShortLease = ({ from }: Pick<NetworkConnector, "from">): boolean =>
    slices.some(({ broker, peerLease }) => broker === from && peerLease < longLease);
  const isStopped = ({ link, autoStart }: NetworkConnector): boolean => (runs.get(link) ?? (autoStart ? "start" : "stop")) === "stop";
  const noteStart = (link: string): void => void (started.has(link) || started.set(link, net.now()));
  const firstRun = ({ link, autoStart }: NetworkConnector): number => (autoStart ? 0 : (started.get(link) ?? Number.POSITIVE_INFINITY));
  /** Whatever its name, it knows of its peer what others to it have known. */
  const ranSince = (connector: NetworkConnector): Pick<Way, "ranSince"> => {
    const others = (slices[0]?.connectors ?? []).filter(({ from, to }) => from === connector.from && to === connector.to);
    return Number.isFinite(firstRun(connector)) ? { ranSince: Math.min(...others.map(firstRun)) } : {};
  };
  const isOpen = (connector: NetworkConnector): boolean => {
    const { from, to } = connector;
    const isAway = cuts.has(cutOf(from, to)) && hasShortLease({ from });
    return !isStopped(connector) && !isAway;
  };

  const send = (at: string, destination: string, count: number, { direct, about = {}, by, group, isQuiet = false }: How): void => {
    const connection = by !== undefined && kindOf(destination) === "topic" ? crowd.connectionOf(by) : undefined;
    const bodies = Array.from({ length: count }, (_, n) => `m${sent.length + n + 1}`);
    const isDirect = direct === true && partsOf(destination).length === 1 && stands(at, destination);
    const noted = {
      ...{ at, about, isQuiet },
      ...(connection !== undefined && by !== undefined && { by }),
      ...(isOrdered(destination) && { series: [destination, group, `at ${at}`, isDirect].join(" ") }),
    };
    for (const body of bodies) sent.push(...partsOf(destination).map((part) => ({ ...noted, body, destination: part })));
    if (isOrdered(destination)) sendInOrder(at, destination, bodies, group, isDirect);
    else sendAny(at, destination, bodies, isDirect, fieldsOf(about, connection));
  };

  const sendAny = (at: string, key: string, bodies: readonly string[], isDirect: boolean, fields?: ProducedFields): void => {
    if (!isDirect) net.send(at, key, bodies, fields);
    else if (kindOf(key) === "queue") net.sendDirect(at, key, bodies, fields);
    else net.publish(at, key, bodies, fields);
  };

  const sendInOrder = (at: string, key: string, bodies: readonly string[], group = "all", isDirect: boolean): void => {
    const orderOf = (body: string) => ({ group, deduplicationId: body });
    if (!isDirect) net.sendInOrder(at, key, bodies, orderOf);
    else if (kindOf(key) === "queue") net.sendDirectInOrder(at, key, bodies, orderOf);
    else net.publishInOrder(at, key, bodies, orderOf);
  };

  /** Whoever publishes on a topic when it has just been made, and not through the ingress, can't know who is subscribed yet. */
  const stands = (at: string, key: string): boolean => {
    const { brain, where } = net.broker(at);
    if (kindOf(key) === "queue") return net.cloud.queues.exists(where.queueOf({ to: "queue", destination: destinationOf(key) }).arn);
    return brain.all("view").some(({ destination, readyAt }) => destinationKey(destination) === key && readyAt <= net.now());
  };

  const take = async (step: Step): Promise<void> => {
    switch (step.step) {
      case "consume":
        return crowd.come(step);
      case "leave":
        return crowd.leave(step.who);
      case "fall silent":
        return crowd.fallSilent(step.who);
      case "wake":
        return crowd.wake(step.who);
      case "return":
        return void (await crowd.comeBack(step.who));
      case "unsubscribe":
        return void (await crowd.unsubscribe(step.who));
      case "send":
        return send(step.at, step.destination, step.count, step);
      case "cut":
        cuts.add(cutOf(...step.between));
        return net.cut(...step.between);
      case "heal":
        cuts.delete(cutOf(...step.between));
        return net.heal(...step.between);
      case "hush":
        hushed.set(`${step.from} ${step.to}`, [step.from, step.to]);
        return net.hush(step.from, step.to, step.silence);
      case "start":
      case "stop":
        if (step.step === "start") noteStart(linkId(brokerId(step.at), step.connector));
        runs.set(linkId(brokerId(step.at), step.connector), step.step);
        return net.command(step.at, step.connector, step.step);
      case "wait":
        return net.run(step.seconds * second);
      default:
        return step satisfies never;
    }
  };

  return {
    take,
    sent: (): readonly Sent[] => sent,
    received: crowd.received,
    gatherIn: crowd.gatherIn,
    insist: crowd.insist,
    /** To a destination that stands there. */
    sendQuietly: ({ at, destination, about = {} }: History["quietSends"][number]): void => {
      if (stands(at, destination)) send(at, destination, 1, { about, isQuiet: true });
    },
    heal: (): void => {
      for (const cut of cuts) net.heal(...(cut.split(" ") as [string, string]));
      cuts.clear();
      for (const [from, to] of hushed.values()) net.hush(from, to);
    },
    picture: (): Picture => ({
      brokers: slices.map(picturedBroker),
      ways: (slices[0]?.connectors ?? []).map((connector) => ({
        ...connector,
        isOpen: isOpen(connector),
        isStopped: isStopped(connector),
        ...ranSince(connector),
        mayLapse: losesEvents && hasShortLease(connector),
      })),
      consumers: crowd.present(),
    }),
    run: net.run,
    /** No broker's control was interrupted at something, or put it off. */
    isIdle: (): boolean =>
      net.brokers().every(({ where: { own } }) => net.cloud.queues.depth(own.queueArn(own.controlQueue))?.inFlight === 0),
    found: () => readFound(net, crowd.whoReads),
    left: (): readonly Left[] => readLeft(net, (body) => sent.filter((one) => one.body === body)),
  };
};
/** Our client's; a plain producer says nothing. */
const fieldsOf = (about: Properties, connection: string | undefined): ProducedFields | undefined =>
  Object.keys(about).length > 0 || connection !== undefined
    ? { properties: propertiesOf(about), ...(connection !== undefined && { connection }) }
    : undefined;

const propertiesOf = (about: Properties): Message["properties"] =>
  Object.fromEntries(
    Object.entries(about).map(([name, value]) => [
      name,
      typeof value === "string" ? { type: "string" as const, value } : { type: "int" as const, value },
    ]),
  );

export type World = ReturnType<typeof worldOf>;

const picturedBroker = (slice: BrokerSlice): PicturedBroker => ({
  id: slice.broker,
  tells: slice.advisorySupport,
  declared: [...slice.queues.map((name) => `queue://${name}`), ...slice.topics.map((name) => `topic://${name}`)],
  ...(slice.autoCreateDestinations !== "permitted" && { makes: slice.autoCreateDestinations }),
  policies: slice.destinationPolicies ?? [],
});
