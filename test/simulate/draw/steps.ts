import type { Picks } from "../../support/histories/picks.ts";
import { linksOf } from "../features.ts";
import type { History, Step } from "../history.ts";
import { isOrdered, kindOf } from "../model/names.ts";
import { selectors } from "../model/selectors.ts";
import { destinations, orderedDestinations, patterns } from "./names.ts";

const untilItRuns = { step: "wait", seconds: 130 } as const;
const composite = "queue://q.a,q.b";
type Drawn = Pick<History, "before" | "steps" | "quietSends">;

/** What people do in a network: they come and go, send, cut ways and heal them, stop links and start them. */
export const drawSteps = (picks: Picks, network: History["network"]): Drawn => {
  const { pick, chance, upTo } = picks;
  const ids = Object.keys(network.brokers);
  const links = linksOf(network);
  const ordered = Object.values(network.brokers).some(({ queues = [] }) => queues.some((one) => isOrdered(String(one))));
  const sentTo = [
    ...new Set([
      ...(ordered ? [pick("ordered", orderedDestinations)] : []),
      pick("destination", destinations),
      pick("destination", destinations),
      pick("destination", destinations),
    ]),
  ];
  const people: string[] = [];
  const durables = new Set<string>();
  const places = new Map<string, string>();

  /** In some networks nobody chooses, in others most do. */
  const choosy = pick("choosy network", [0, 0.15, 0.6]);
  const says = () =>
    choosy > 0 && chance("says", 0.8)
      ? { about: pick("about", [{ color: "red" }, { color: "blue", size: 3 }, { color: "blue" }, { size: 7 }]) }
      : {};

  const consume = (): Step => {
    const who = `c${people.length + 1}`;
    people.push(who);
    const destination = pick("consumed", sentTo);
    const kind = kindOf(destination);
    const how = pick("how", ["name", "name", "name", "name", "pattern", "composite"] as const);
    const pattern = pick(
      "pattern",
      patterns.filter((one) => kindOf(one) === kind),
    );
    const other = pick(
      "other",
      destinations.filter((one) => kindOf(one) === kind && one !== destination),
    );
    const consumed = how === "name" ? destination : how === "pattern" ? pattern : `${destination},${other.slice(other.indexOf("://") + 3)}`;
    const durable = kind === "topic" && how !== "composite" && chance("durable", 0.25);
    if (durable) durables.add(who);
    const at = pick("at", ids);
    places.set(who, at);
    return {
      step: "consume",
      who,
      at,
      destination: consumed,
      ...(chance("priority", 0.2) && { priority: pick("priority", [1, 4, -2]) }),
      ...(kind === "queue" && chance("prefetch", 0.12) && { prefetchSize: 500 }),
      ...(chance("choosy", choosy) && { selector: pick("selector", selectors) }),
      ...(kind === "topic" && chance("noLocal", 0.15) && { noLocal: true }),
      ...(durable && { durable }),
    };
  };
  const send = (at = pick("sender", ids), destination: string = pick("sent to", sentTo)): Step =>
    isOrdered(destination) ? sendInOrder(at, destination) : sendAny(at, destination);
  const sendInOrder = (at: string, destination: string): Step => ({
    step: "send",
    at,
    destination,
    count: upTo("count", 4),
    ...(chance("direct", 0.4) && { direct: true }),
    ...(chance("group", 0.6) && { group: pick("group", ["g", "h"]) }),
  });
  /** One of those who are there sends, where he is. */
  const byOne = () => {
    const by = somebody();
    const at = places.get(by);
    return at !== undefined && chance("by", 0.25) ? { at, by } : {};
  };
  const sendAny = (at: string, destination: string): Step => ({
    step: "send",
    at,
    destination: kindOf(destination) === "queue" && chance("composite", 0.1) ? composite : destination,
    count: upTo("count", 4),
    ...(chance("direct", 0.4) && { direct: true }),
    ...says(),
    ...(kindOf(destination) === "topic" && byOne()),
  });
  const wait = (): Step => ({ step: "wait", seconds: pick("seconds", [0, 0, 1, 1, 2, 5, 10, 20, 60, 130]) });
  const somebody = (): string => pick("who", people.length > 0 ? people : ["nobody"]);
  /** When the lease of a durable subscription's client ends is no sure moment. */
  const fallSilent = (): Step => {
    const who = somebody();
    return { step: durables.has(who) ? "leave" : "fall silent", who };
  };
  const leave = (): Step => ({ step: "leave", who: somebody() });
  /** Dispatch has looked at the destination a moment before somebody comes or goes. */
  const rush = (): readonly Step[] => {
    const [at, destination] = [pick("sender", ids), pick("sent to", sentTo)];
    const [comes, now] = [chance("comes", 0.6) ? consume() : leave(), { step: "wait", seconds: pick("rush", [0, 1]) } as const];
    return [send(at, destination), now, comes, now, send(at, destination)];
  };

  const late = links.filter(({ connector }) => connector.autoStart === false);
  /** One that runs late isn't there for long: what goes wrong with it follows. */
  const start = ({ from, to, connector: { name = "NC", autoStart } }: (typeof links)[number]): readonly Step[] => [
    { step: "start", at: from, connector: name },
    ...(autoStart === false ? [untilItRuns, breakDown(from, to), send(from), send(from)] : []),
  ];
  const breakDown = (from: string, to: string): Step => {
    const how = pick("breaks down", ["cut", "hangs", "accepts and says nothing"] as const);
    return how === "cut" ? { step: "cut", between: [from, to] } : { step: "hush", from, to, silence: how };
  };

  const next = (): readonly Step[] => {
    const { from, to, connector } = pick("link", links);
    const { name = "NC" } = connector;
    switch (pick("step", kinds)) {
      case "consume":
        return [consume()];
      case "send":
        return [send()];
      case "rush":
        return rush();
      case "leave":
        return [leave()];
      case "return":
        return [{ step: "return", who: somebody() }];
      case "unsubscribe":
        return ((who) => [{ step: "leave", who } as const, { step: "unsubscribe", who } as const])(somebody());
      case "fall silent":
        return [fallSilent()];
      case "wake":
        return [{ step: "wake", who: somebody() }];
      case "cut":
        return [{ step: "cut", between: [from, to] }, send(from)];
      case "heal":
        return [{ step: "heal", between: [from, to] }];
      case "hush":
        return [{ step: "hush", from, to, silence: pick("silence", ["hangs", "accepts and says nothing"] as const) }, send(from)];
      case "stop":
        return [{ step: "stop", at: from, connector: name }];
      default:
        return start(pick("started", late.length > 0 ? late : links));
    }
  };
  const before = Array.from({ length: upTo("first consumers", 5) - 1 }, consume);
  const steps = Array.from({ length: 2 + upTo("steps", 9) }, () => [...next(), wait()]).flat();
  const quietSends = Array.from({ length: upTo("quiet sends", 4) }, () => {
    const [at, destination] = [pick("quiet sender", ids), pick("quiet", sentTo)];
    return { at, destination, ...(isOrdered(destination) ? {} : says()) };
  });
  return { before, steps, quietSends };
};

/** As often as they are named. */
const kinds = [
  ...(["consume", "consume", "leave", "leave", "rush", "rush"] as const),
  ...(["send", "send", "send", "return", "unsubscribe"] as const),
  ...(["cut", "heal", "hush", "hush", "fall silent", "wake", "stop", "start"] as const),
];
