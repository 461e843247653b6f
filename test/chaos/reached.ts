/** Whom messages have reached, or may have: whoever sends one of these anew sends it to them once more. */
export interface Reached {
  /** @param reader - @default any of its readers */
  note(bodies: readonly string[], reader?: string): void;
  /** `undefined`: any of them. */
  by(body: string): readonly (string | undefined)[];
}

export const nobodyReached = (): Reached => {
  const readersOf = new Map<string, Set<string | undefined>>();
  return {
    note: (bodies, reader) => {
      for (const body of bodies) readersOf.set(body, new Set([...(readersOf.get(body) ?? []), reader]));
    },
    by: (body) => {
      const readers = [...(readersOf.get(body) ?? [])];
      return readers.includes(undefined) ? [undefined] : readers;
    },
  };
};
