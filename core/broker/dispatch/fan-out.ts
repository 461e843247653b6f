import { joinParts, type LoadAnswer } from "../../carry/progress.ts";
import type { HandOverAnswer } from "../../ports.ts";
import type { ParkReason, Plan, Subscriber } from "../../routing/plan.ts";
import type { Laden } from "./carrying.ts";

type FanOut = Extract<Plan, { readonly plan: "fan-out" }>;

/** One target of the load `of`: how it was sent there, or to that target's shelter, and what became of it. */
export interface FanPart {
  readonly of: Laden;
  readonly load: Laden;
  readonly target: Subscriber;
  readonly answer: HandOverAnswer;
}
type Send = (loads: readonly Laden[]) => Promise<readonly HandOverAnswer[]>;
type Park = (load: Laden, reason: ParkReason) => Laden | undefined;
/** How a part's own plan is carried out by now. */
type Follow = (plan: Plan) => Plan;

/**
 * Sends each load to its target, or to all of its targets; in one call, so that batches are as full as can be. What a link among several
 * didn't take is parked for that link alone, as SNS would have kept it; its receiver drops what it has. Answers one answer for each load.
 */
export const sendEach = async (
  loads: readonly Laden[],
  send: Send,
  park: Park,
  follow: Follow,
): Promise<{ readonly answers: readonly LoadAnswer<Plan>[]; readonly parts: ReadonlyMap<Laden, readonly FanPart[]> }> => {
  const single = loads.filter(({ plan }) => plan.plan !== "fan-out");
  const fans = loads.flatMap((load) => (load.plan.plan === "fan-out" ? partsOf(load, load.plan, follow) : []));
  const answers = (await send([...single, ...fans.map(({ load }) => load)])).values();
  const next = (): HandOverAnswer => answers.next().value ?? noAnswer;
  const alone = new Map(single.map((load) => [load, next()]));
  const sent = await sheltered(
    fans.map((part) => ({ ...part, answer: next() })),
    send,
    park,
  );
  const ofLoad = Map.groupBy(sent, ({ of }) => of);
  const parts = new Map(loads.flatMap((load) => (load.plan.plan === "fan-out" ? [[load, ofLoad.get(load) ?? []] as const] : [])));
  const joined = loads.map((load): LoadAnswer<Plan> => {
    const { plan } = load;
    const ends = (parts.get(load) ?? []).map((part) => ({ ...part, done: part.answer.answer === "accepted" || isGone(part) }));
    return plan.plan === "fan-out" ? joinParts(ends, (targets): FanOut => ({ ...plan, targets })) : (alone.get(load) ?? noAnswer);
  });
  return { answers: joined, parts };
};

const partsOf = (of: Laden, { targets, destination, reason }: FanOut, follow: Follow): readonly Omit<FanPart, "answer">[] =>
  targets.map((target) => ({ of, target, load: { ...of, plan: follow({ plan: "hand-over", target, destination, reason }) } }));

const sheltered = async (parts: readonly FanPart[], send: Send, park: Park): Promise<readonly FanPart[]> => {
  const shelters = parts.map(({ load, answer }) => {
    if (answer.answer === "accepted") return undefined;
    return park(load, answer.answer === "refused" ? "target-refused" : "target-silent");
  });
  const inNeed = shelters.filter((load) => load !== undefined);
  const answers = (inNeed.length > 0 ? await send(inNeed) : []).values();
  return parts.map((part, index) => {
    const load = shelters[index];
    return load ? { ...part, load, answer: answers.next().value ?? noAnswer } : part;
  });
};

/** The consumer of a queue that isn't there any more is gone: nobody misses anything. */
export const isGone = ({ target, answer }: Pick<FanPart, "target" | "answer">): boolean =>
  target.to === "own-queue" && answer.answer === "refused" && answer.cause === "missing";

const noAnswer: HandOverAnswer = { answer: "silent", why: "no answer" };
