/** What stands in a line of its group; without a group it stands alone. */
interface Grouped {
  readonly group?: string;
}

interface Line<T, R> {
  /** After such a result nobody of the group is handled any more. */
  readonly stops: (result: R) => boolean;
  /** What becomes of one behind it. */
  readonly behind: (item: T, stopper: R) => R;
  /** Asked after each wave: is there time for another one? */
  readonly mayContinue: () => boolean;
  /** What becomes of one whose wave there was no time for. */
  readonly unbegun: (item: T) => R;
}

/**
 * Handles the first of each group together, then the second of each, and so on: no call holds two of one group, and none overtakes one
 * that failed or wasn't begun; other groups go on. Answers in the order given.
 */
export const inWaves = async <T extends Grouped, R>(
  items: readonly T[],
  handle: (wave: readonly T[]) => Promise<readonly R[]>,
  { stops, behind, mayContinue, unbegun }: Line<T, R>,
): Promise<readonly R[]> => {
  const results = new Map<T, R>();
  let lines = [...Map.groupBy(items, ({ group }, index) => group ?? index).values()];
  while (lines.length > 0) {
    const wave = lines.flatMap(([first]) => first ?? []);
    const handled = await handle(wave);
    wave.forEach((item, index) => void results.set(item, handled[index] as R));
    lines = lines.flatMap(([first, ...others]) => {
      const result = results.get(first as T) as R;
      if (!stops(result)) return others.length > 0 ? [others] : [];
      for (const other of others) results.set(other, behind(other, result));
      return [];
    });
    if (!mayContinue()) break;
  }
  for (const item of lines.flat()) results.set(item, unbegun(item));
  return items.map((item) => results.get(item) as R);
};
