import type { BrokerSlice, NetworkConnector } from "../../core/config/slice.ts";
import { destinationKey, destinationOf } from "../../core/destination/destination.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import type { SimulatedNetwork } from "../support/simulator/network.ts";
import { crowdOf } from "./crowd.ts";
import type { Step } from "./history.ts";
import { kindOf, partsOf } from "./model/names.ts";
import type { Picture, PicturedBroker } from "./model/picture.ts";
import type { Left, Sent } from "./played.ts";
import { readFound, readLeft } from "./reading.ts";

const second = 1_000;
/** A peer that is away for longer is nobody's peer any more; cuts are shorter than this. */
const longLease = 1_800;

/** A simulated network as a history's steps change it, and what is known of it without asking its brokers. */
export const worldOf = (net: SimulatedNetwork) => {
  const crowd = crowdOf(net);
  const slices = net.brokers().map(({ slice }) => slice);
  const cuts = new Set<string>();
  const hushed = new Map<string, readonly [string, string]>();
  const runs = new Map<string, "start" | "stop">();
  const sent: Sent[] = [];
  const cutOf = (one: string, other: string): string => [one, other].toSorted().join(" ");

  const isOpen = ({ link, autoStart, from, to }: NetworkConnector): boolean => {
    const isAway = cuts.has(cutOf(from, to)) && slices.some(({ broker, peerLease }) => broker === from && peerLease < longLease);
    return (runs.get(link) ?? (autoStart ? "start" : "stop")) === "start" && !isAway;
  };

  const send = (at: string, destination: string, count: number, how: { readonly direct?: true; readonly isQuiet?: true } = {}): void => {
    const bodies = Array.from({ length: count }, (_, n) => `m${sent.length + n + 1}`);
    for (const body of bodies)
      for (const part of partsOf(destination)) sent.push({ body, at, destination: part, isQuiet: how.isQuiet === true });
    const isThere = partsOf(destination).length === 1 && stands(at, destination);
    if (!how.direct || !isThere) net.send(at, destination, bodies);
    else if (kindOf(destination) === "queue") net.sendDirect(at, destination, bodies);
    else net.publish(at, destination, bodies);
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
      case "send":
        return send(step.at, step.destination, step.count, step.direct ? { direct: true } : {});
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
    /** To a destination that stands there. */
    sendQuietly: (at: string, destination: string): void => {
      if (stands(at, destination)) send(at, destination, 1, { isQuiet: true });
    },
    heal: (): void => {
      for (const cut of cuts) net.heal(...(cut.split(" ") as [string, string]));
      cuts.clear();
      for (const [from, to] of hushed.values()) net.hush(from, to);
    },
    picture: (): Picture => ({
      brokers: slices.map(picturedBroker),
      ways: (slices[0]?.connectors ?? []).map((connector) => ({ ...connector, isOpen: isOpen(connector) })),
      consumers: crowd.present(),
    }),
    run: net.run,
    /** No broker's control was interrupted at something, or put it off. */
    isIdle: (): boolean =>
      net.brokers().every(({ where: { own } }) => net.cloud.queues.depth(own.queueArn(own.controlQueue))?.inFlight === 0),
    found: () => readFound(net, crowd.whoReads),
    left: (): readonly Left[] => readLeft(net, (body) => sent.filter((one) => one.body === body).map(({ destination }) => destination)),
  };
};
export type World = ReturnType<typeof worldOf>;

const picturedBroker = (slice: BrokerSlice): PicturedBroker => ({
  id: slice.broker,
  tells: slice.advisorySupport,
  declared: [...slice.queues.map((name) => `queue://${name}`), ...slice.topics.map((name) => `topic://${name}`)],
  ...(slice.autoCreateDestinations !== "permitted" && { makes: slice.autoCreateDestinations }),
  policies: slice.destinationPolicies ?? [],
});
