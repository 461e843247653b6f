import { answering, isOutput, outputOf, subjectOf } from "../call.ts";
import type { Fault } from "../fault.ts";

const lag = 60_000;
type Depths = Readonly<Record<string, string>>;

/** Depths are those of a minute ago; what nobody read then was nothing. */
export const laggingDepths: Fault = ({ draws, fired, now }) => {
  const readings = new Map<string, { readonly at: number; readonly depths: Depths }[]>();
  return async (call, next) => {
    const fate = await next(call);
    if (call.action !== "GetQueueAttributes" || !isOutput(fate)) return fate;
    const { Attributes = {} } = outputOf(call, fate);
    const depths = Object.fromEntries(Object.entries(Attributes).filter(([name]) => name.startsWith("ApproximateNumberOf")));
    const before = readings.get(subjectOf(call)) ?? [];
    readings.set(subjectOf(call), [...before, { at: now(), depths }]);
    const then = before.findLast(({ at }) => at <= now() - lag)?.depths ?? {};
    const said = Object.fromEntries(Object.keys(depths).map((name) => [name, then[name] ?? "0"]));
    if (Object.keys(depths).every((name) => said[name] === depths[name]) || !draws(call)) return fate;
    fired();
    return answering(call, { Attributes: { ...Attributes, ...said } });
  };
};
