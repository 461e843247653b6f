import type { HandOver, HandOverAnswer, RestingCopy } from "../../../core/ports.ts";
import { bodiesIn, cellOf, cellsIn } from "../cells.ts";
import type { OrderedWindows } from "./ordered-windows.ts";

/**
 * Without an audit nobody knows what became of a message: it is carried again, to whoever has it already, if an invocation didn't delete
 * what it handed over, wasn't told that a target has it, or found another of its targets refusing. It may have several copies at hand.
 */
export const carriedAgain = (ledger: Pick<OrderedWindows, "comesAgain">) => {
  /** A queue's message goes one way of several, a topic's all. */
  const takerOf = (target: HandOver["target"], group: string): string =>
    `${group.startsWith("queue:") ? "" : JSON.stringify(target)} ${group}`;
  /** Takers, each as often as it took a copy. */
  const accepted = new Map<string, readonly string[]>();
  const refused = new Set<string>();
  /** Of which destination's part: what one link refuses another, or its shelter, may take, and others have theirs by then. */
  const refusedByLink = new Map<string, string>();
  /** Does a target have a part of it that isn't for this destination? */
  const hasAnother = (body: string, destination: string): boolean =>
    (accepted.get(body) ?? []).some((part) => !part.endsWith(` ${destination}`));
  /** Copies that some target has. */
  const copiesOf = (body: string): number => {
    const byTarget = Map.groupBy(accepted.get(body) ?? [], (target) => target);
    return Math.max(0, ...[...byTarget.values()].map(({ length }) => length));
  };
  const comesAgain = (bodies: readonly string[]): void => {
    const again = bodies.flatMap((body) => Array<string>(copiesOf(body)).fill(body));
    for (const body of bodies) accepted.delete(body);
    ledger.comesAgain(again);
  };
  return {
    answered: ({ target, wire, group = "" }: HandOver, answer: HandOverAnswer["answer"]): void => {
      const bodies = bodiesIn(wire.body);
      if (answer === "silent") ledger.comesAgain(bodies); // it is sent again, or to a shelter
      if (answer === "accepted") for (const body of bodies) accepted.set(body, [...(accepted.get(body) ?? []), takerOf(target, group)]);
      if (answer === "refused" && target.to !== "link") for (const body of bodies) refused.add(body);
      if (answer === "refused" && target.to === "link") for (const body of bodies) refusedByLink.set(body, group);
      const isForAnother = (body: string): boolean => refusedByLink.has(body) && hasAnother(body, refusedByLink.get(body) ?? "");
      comesAgain(bodies.filter((body) => refused.has(body) || isForAnother(body)));
    },
    /** These destinations aren't there yet: what has parts for them comes again, to the others too. */
    awaits: (destinations: readonly string[]): void => {
      for (const destination of destinations)
        comesAgain([...accepted.keys()].filter((body) => cellsIn(destination).includes(cellOf(body)) && hasAnother(body, destination)));
    },
    removed: (copies: readonly RestingCopy[]): void => {
      for (const body of copies.flatMap((copy) => bodiesIn(copy.body))) {
        const targets = accepted.get(body) ?? [];
        accepted.set(
          body,
          targets.filter((target, index) => targets.indexOf(target) < index),
        );
      }
    },
    ended: (): void => comesAgain([...accepted.keys()]),
  };
};
