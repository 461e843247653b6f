import type { Ledger } from "../ledger.ts";
import type { Window } from "../windows.ts";

/** A hand-over that was accepted, while nobody who would repeat it knows. */
export interface Standing {
  /** What its carrier took on, of which it is a part, or all. */
  readonly load: string;
  readonly bodies: readonly string[];
  /** Whom a repetition reaches; `undefined`: of a topic's readers anybody. */
  readonly reader: string | undefined;
}

export const standings = (ledger: Pick<Ledger, "opened">) => {
  let all: readonly Standing[] = [];
  const open = (window: Window, those: readonly Standing[]): void => {
    for (const { bodies, reader } of those) ledger.opened(window, bodies, reader);
  };
  /** One for each reader: whatever has several parts goes to each of them once. */
  const take = (load: string): readonly Standing[] => {
    const taken = [...new Map(all.filter((one) => one.load === load).map((one) => [one.reader, one])).values()];
    all = all.filter((one) => !taken.includes(one));
    return taken;
  };
  return {
    put: (one: Standing): void => {
      all = [...all, one];
    },
    take,
    /** Whatever of this load stands comes again. */
    open: (window: Window, load: string): void => open(window, take(load)),
    openAll: (window: Window): void => {
      open(window, all);
      all = [];
    },
  };
};
