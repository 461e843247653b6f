import type { DestinationKey } from "../../destination/destination.ts";
import { Contended } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem } from "../records.ts";
import { applyEvent, type ControlRecord, type Touched } from "./applying.ts";
import { type Judgement, judgeDestination } from "./judge.ts";
import type { ControlPorts } from "./ports.ts";
import { isRestored } from "./restored.ts";

export interface ControlOutcome {
  readonly ref: string;
  readonly event: ControlEvent["event"];
  readonly verdict: "applied" | "dropped" | "again";
  /** Why it was dropped or comes again; what to know of though it was applied. */
  readonly why?: string;
  /** It comes again because somebody else was at the same. */
  readonly contended?: true;
}

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
    const nothing = { failed: undefined, contended: undefined, dropped: undefined, warning: undefined };
    const { failed, contended, dropped, warning } = { ...nothing, ...touched, ...judged };
    const isOver = failed === undefined ? dropped !== undefined : hasFollower(record, now);
    const verdict = isOver ? "dropped" : failed !== undefined ? "again" : "applied";
    const why = failed ?? dropped ?? warning;
    outcomes.push({
      ref: record.ref,
      event: record.event.event,
      verdict,
      ...(why !== undefined && { why }),
      ...(contended && { contended }),
    });
  }
  return outcomes;
};

/** Until the broker works (again): then nothing that was said meanwhile is missed. */
const waiting = (records: readonly ControlRecord[], why: string): readonly ControlOutcome[] =>
  records.map(({ ref, event }) => ({ ref, event: event.event, verdict: "again", why }));

/** Has a later tick sent the same meanwhile? Where something fails for hours each minute's would else come again beside all before. */
const hasFollower = ({ event, sentAt }: ControlRecord, now: number): boolean => ofEachTick.has(event.event) && now - sentAt > twoTicks;
const ofEachTick: ReadonlySet<string> = new Set(["probe", "compare", "expire", "discover"] satisfies ControlEvent["event"][]);
const twoTicks = 120_000;

const judgingOnce = (ports: ControlPorts, broker: BrokerItem, now: number) => {
  const judged = new Map<string, Promise<Judgement>>();
  return async (touched: Touched): Promise<{ readonly warning?: string }> => {
    const { destinations, asked = false } = touched;
    const warnings: string[] = [];
    const left: DestinationKey[] = [];
    for (const key of destinations) {
      const once = `${asked}|${key}`;
      const judgement = judged.get(once) ?? judgeDestination(ports, broker, key, asked, now);
      judged.set(once, judgement);
      const { isDone, warning } = await judgement;
      if (!isDone) left.push(key);
      if (warning !== undefined) warnings.push(warning);
    }
    await touched.afterwards?.(left);
    return warnings.length > 0 ? { warning: warnings.join("; ") } : {};
  };
};

interface Failed {
  readonly failed: string;
  readonly contended?: true;
}

/** One event's failure is its own: the others of its batch go on. */
const attempt = async <T>(step: () => Promise<T>): Promise<T | Failed> => {
  try {
    return await step();
  } catch (error) {
    const failed = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { failed, ...(error instanceof Contended && { contended: true }) };
  }
};
