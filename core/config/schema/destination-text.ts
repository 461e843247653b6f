import * as z from "zod";
import { isComposite, partsOf } from "../../destination/composite.ts";
import { type Destination, destinationOf, parseDestination } from "../../destination/destination.ts";
import { isPattern } from "../../destination/filter.ts";

/** What is wrong with a destination text in a list of filters; a text without a kind is a queue. */
export const judgeFilter = (text: string): string | undefined => {
  const [fault, destination] = judge(text, "queue");
  if (fault !== undefined) return fault;
  const meansRest = ({ name }: Destination) => /(^|\.)>\.(?!(>\.)*>$)/.test(name);
  return partsOf(destination).some(meansRest)
    ? "has a `>` that isn't last, where it would be a name like any other: write `*` for one part"
    : undefined;
};

export const forceDurableOption = "forceDurable";

/** The same of an entry of a list of inclusion, which may have an option. */
export const judgeInclusion = (text: string): string | undefined => {
  const [, bare = "", option] = /^([^?]*)(?:\?forceDurable=(true|false))?$/.exec(text) ?? [undefined, text];
  const fault = judgeFilter(bare);
  if (fault !== undefined || option === undefined) return fault;
  const isTopic = partsOf(destinationOf(bare)).every(({ kind }) => kind === "topic");
  return isTopic ? undefined : `has ?${forceDurableOption}, which is for topics: a queue keeps its messages anyway; remove it`;
};

/** What is wrong with the text of one destination that shall exist: filters are more than one. */
export const judgeDestination = (text: string, kind: "queue" | "topic" = "queue"): string | undefined => {
  const [fault, destination] = judge(text, kind);
  if (fault !== undefined) return fault;
  if (isPattern(destination)) return "must be one destination: a pattern can be permitted and consumed by a client, not made or polled";
  if (isComposite(destination)) return "must be one destination: list each one on its own";
  return undefined;
};

/** What is wrong with an entry of `queues` or `topics`. */
export const judgeDeclared =
  (kind: "queue" | "topic") =>
  (text: string): string | undefined =>
    judgeDestination(text, kind) ??
    (judge(text, kind)[1]?.kind === kind ? undefined : `must be a ${kind}: name it under \`${kind === "queue" ? "topics" : "queues"}\``);

/** A text that a judge has no objection to. */
export const destinationText = (judgeText: (text: string) => string | undefined) =>
  z.string("must be a destination such as queue://orders.new").check((found) => {
    const fault = judgeText(found.value);
    if (fault !== undefined) found.issues.push({ code: "custom", message: fault, input: found.value });
  });

type Judged = readonly [fault: string, destination?: undefined] | readonly [fault: undefined, destination: Destination];

const judge = (text: string, kind: "queue" | "topic"): Judged => {
  const destination = parseDestination(text, kind);
  if ("fault" in destination) return ["must name a destination, such as queue://orders.new or topic://prices"];
  if (destination.name.includes("://") || /^(queue|topic):(?!\/\/)/.test(text)) return ["has an unknown kind: write queue:// or topic://"];
  if (destination.kind.startsWith("temp-")) return ["is temporary: only queue:// and topic:// are configured"];
  if (text.includes("?")) return [`has an option (${text.slice(text.indexOf("?"))}): ActiveMQ has it, SpanMQ doesn't yet; remove it`];
  return [undefined, destination];
};
