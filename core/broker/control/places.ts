/** Is one of `most` places this one's? Who has one keeps it. */
export const places = (most: number, taken: readonly { readonly id: string }[]): ((id: string) => boolean) => {
  const held = new Set(taken.map(({ id }) => id));
  return (id) => held.has(id) || (held.size < most && held.add(id).has(id));
};
