import { atAnyTime, type Expectations, expectationsOf } from "../model/expectations.ts";
import type { Played } from "../played.ts";

/** What must hold for every history; `broken` says in words where it doesn't. */
export interface Law {
  readonly law: string;
  readonly broken: (played: Played, justified: Justified) => readonly string[];
}

/** What the model makes of a history. */
export interface Justified {
  /** When all is well again. */
  readonly atLast: Expectations;
  readonly atEach: readonly Expectations[];
  readonly atAnyTime: Expectations;
}

export const justifiedBy = ({ pictures }: Pick<Played, "pictures">): Justified => {
  const atEach = pictures.map(expectationsOf);
  return { atEach, atLast: atEach.at(-1) ?? expectationsOf(pictures[0]), atAnyTime: expectationsOf(atAnyTime(pictures)) };
};
