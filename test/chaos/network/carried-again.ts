import type { HandOver, HandOverAnswer, RestingCopy } from "../../../core/ports.ts";
import { bodiesIn } from "../cells.ts";
import type { OrderedWindows } from "./ordered-windows.ts";

/**
 * Without an audit nobody knows what became of a message: it is carried again, to whoever has it already, if an invocation didn't delete
 * what it handed over, wasn't told that a target has it, or found another of its targets refusing.
 */
export const carriedAgain = (ledger: Pick<OrderedWindows, "comesAgain">) => {
  const [accepted, refused] = [new Set<string>(), new Set<string>()];
  const comesAgain = (bodies: readonly string[]): void => {
    for (const body of bodies) accepted.delete(body);
    ledger.comesAgain(bodies);
  };
  return {
    answered: ({ target, wire }: HandOver, answer: HandOverAnswer["answer"]): void => {
      const bodies = bodiesIn(wire.body);
      if (answer === "silent") comesAgain(bodies); // it is sent again, or to a shelter
      if (answer === "accepted") for (const body of bodies) accepted.add(body);
      if (answer === "refused" && target.to !== "link") for (const body of bodies) refused.add(body);
      comesAgain(bodies.filter((body) => accepted.has(body) && refused.has(body)));
    },
    removed: (copies: readonly RestingCopy[]): void => {
      for (const body of bodiesIn(copies.map(({ body: text }) => text))) accepted.delete(body);
    },
    ended: (): void => comesAgain([...accepted]),
  };
};
