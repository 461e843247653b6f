/** Texts that are never the same and the same in each run. */
export const numbered = (prefix: string): (() => string) => {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix} ${last}`;
  };
};
