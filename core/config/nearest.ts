/** How many edits make one word another; `distance` of fastest-levenshtein is one. The core has no dependency for it. */
export type Distance = (a: string, b: string) => number;

/** The known name that a misspelt one is close to: at most one edit for every three letters, letter case apart. */
export const nearestName = (word: string, known: readonly string[], distance: Distance): string | undefined => {
  const near = known
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.ceil(Math.min(word.length, name.length) / 3))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.name;
};
