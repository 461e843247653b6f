import type { DestinationKey } from "../../destination/destination.ts";
import { Contended } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem } from "../records.ts";
import { breakLink } from "./breakers.ts";
import { partFrom } from "./closing.ts";
import { obey } from "./commands.ts";
import { applyConnection, expireConnection, passedPrivate } from "./connections.ts";
import { takeUp } from "./deployed.ts";
import { discover } from "./discovering.ts";
import { hearAnswer, probeLink, welcome } from "./handshake.ts";
import { type ControlPorts, judgeDestination } from "./judge.ts";
import { compareRoots, readHint } from "./learning.ts";
import { lookInto } from "./looking.ts";
import { closePass } from "./passes.ts";
import { isRestored } from "./restored.ts";

/** One event of the control queue; `sentAt` is its SentTimestamp. */
export interface ControlRecord {
  readonly ref: string;
  readonly event: ControlEvent;
  readonly sentAt: number;
}

export interface ControlOutcome {
  readonly ref: string;
  readonly event: ControlEvent["event"];
  readonly verdict: "applied" | "dropped" | "again";
  /** Why it was dropped or comes again. */
  readonly why?: string;
}

/** Destinations that an event makes worth judging, those that somebody sent to apart. */
export interface Touched {
  readonly destinations: readonly DestinationKey[];
  readonly asked?: boolean;
  /** The event is over without having been followed: what it said will be repeated by something else. */
  readonly dropped?: string;
  /** Written only once everything touched was judged: a failure before it brings the event back whole. */
  readonly afterwards?: () => Promise<void>;
}
const nothing: Touched = { destinations: [] };

/**
 * A batch of control events: each changes what it carries or names where to look; then every touched destination is judged once,
 * however many events named it. Nothing relies on their order. An event that failed, or whose destinations did, comes again.
 */
export const controlBatch = async (
  ports: ControlPorts,
  records: readonly ControlRecord[],
  now: number,
): Promise<readonly ControlOutcome[]> => {
  const broker = await ports.brain.read("broker", "", "broker");
  if (!broker) return waiting(records, "the deployment hasn't written its configuration yet");
  if (broker.value.closing !== undefined) return waiting(records, "the broker is being destroyed");
  if (await isRestored(ports)) return takingUp(ports, broker.value, records, now);
  return judgeBatch(ports, broker.value, records, now);
};

/** By a restored table nothing is judged before it is taken up, which the tick orders: leases and answers in it seem long over. */
const takingUp = async (
  ports: ControlPorts,
  broker: BrokerItem,
  records: readonly ControlRecord[],
  now: number,
): Promise<readonly ControlOutcome[]> => {
  const [orders, others] = [records.filter(isOrder), records.filter((record) => !isOrder(record))];
  return [...(await judgeBatch(ports, broker, orders, now)), ...waiting(others, "the table was restored and isn't taken up yet")];
};
const isOrder = ({ event }: ControlRecord): boolean => event.event === "deployed";

const judgeBatch = async (
  ports: ControlPorts,
  broker: BrokerItem,
  records: readonly ControlRecord[],
  now: number,
): Promise<readonly ControlOutcome[]> => {
  const judge = judgingOnce(ports, broker, now);
  const applied: { readonly record: ControlRecord; readonly touched: Touched | Failed }[] = [];
  for (const record of records) applied.push({ record, touched: await attempt(() => applyEvent(ports, broker, record, now)) });
  const outcomes: ControlOutcome[] = [];
  for (const { record, touched } of applied) {
    const judged = "failed" in touched ? touched : await attempt(() => judge(touched));
    const { failed, dropped } = { failed: undefined, dropped: undefined, ...touched, ...judged };
    const verdict = failed !== undefined ? "again" : dropped !== undefined ? "dropped" : "applied";
    const why = failed ?? dropped;
    outcomes.push({ ref: record.ref, event: record.event.event, verdict, ...(why !== undefined && { why }) });
  }
  return outcomes;
};

/** Until the broker works (again): then nothing that was said meanwhile is missed. */
const waiting = (records: readonly ControlRecord[], why: string): readonly ControlOutcome[] =>
  records.map(({ ref, event }) => ({ ref, event: event.event, verdict: "again", why }));

const applyEvent = async (ports: ControlPorts, broker: BrokerItem, { event, sentAt }: ControlRecord, now: number): Promise<Touched> => {
  switch (event.event) {
    case "connection":
      return applyConnection(ports, event.state, sentAt, now);
    case "expire":
      return expireConnection(ports, event.connection, now);
    case "hint":
      return readHint(ports, broker, event);
    case "compare":
      return compareRoots(ports, broker, event.link);
    case "hello":
      return welcome(ports, broker, event.hello, now);
    case "hello-answer":
      return hearAnswer(ports, broker, event, now);
    case "closing":
      return partFrom(ports, broker, event, now);
    case "probe":
      return probeLink(ports, broker, event, now);
    case "link-failed":
      return breakLink(ports, broker, event);
    case "command":
      return obey(ports, broker, event, now);
    case "deployed":
      return takeUp(ports, broker, now);
    case "judge":
      return { destinations: [event.destination] };
    case "create":
      return { destinations: [event.destination], asked: true };
    case "discover":
      return discover(ports, event.destination, now);
    case "look":
      await lookInto(ports, event.place, now);
      return nothing;
    case "pass-result":
      if ((await closePass(ports, event.result, now)) === "closed") await passedPrivate(ports, event.result, now);
      return nothing;
    case "effective":
      await noteEffective(ports, event);
      return nothing;
    default:
      return event satisfies never;
  }
};

/** The peer at the other end of the link has put this version of our demand into effect. */
const noteEffective = async (
  { brain }: ControlPorts,
  { link, destination, version }: Extract<ControlEvent, { event: "effective" }>,
): Promise<void> => {
  const stored = await brain.read("effective", destination, link);
  if (stored && stored.value.version >= version) return;
  if ((await brain.write("effective", destination, link, { link, version }, stored?.revision ?? 0)) === "moved")
    throw new Contended(`effective ${destination} ${link}`);
};

const judgingOnce = (ports: ControlPorts, broker: BrokerItem, now: number): ((touched: Touched) => Promise<Touched>) => {
  const judged = new Map<string, Promise<void>>();
  return async (touched) => {
    const { destinations, asked = false } = touched;
    for (const key of destinations) {
      const once = `${asked}|${key}`;
      const judgement = judged.get(once) ?? judgeDestination(ports, broker, key, asked, now);
      judged.set(once, judgement);
      await judgement;
    }
    await touched.afterwards?.();
    return touched;
  };
};

interface Failed {
  readonly failed: string;
}

/** One event's failure is its own: the others of its batch go on. */
const attempt = async <T>(step: () => Promise<T>): Promise<T | Failed> => {
  try {
    return await step();
  } catch (error) {
    return { failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
};
