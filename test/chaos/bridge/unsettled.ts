/** What a bridge's target took from one invocation, and the audit doesn't know yet. Those of one body settle together. */
export interface Unsettled {
  /** `id`: that the bridge gave. */
  took(id: string, body: string): void;
  settled(bodies: readonly string[]): void;
  /** These won't be settled: what is among them goes there again, once for each time that it was taken. @param bodies - @default all */
  leave(bodies?: readonly string[]): void;
}

export const unsettled = (goesAgain: (bodies: readonly string[]) => void): Unsettled => {
  const bodyOf = new Map<string, string>();
  const end = (bodies: readonly string[]): readonly string[] => {
    const ended = [...bodyOf].filter(([, body]) => bodies.includes(body));
    for (const [id] of ended) bodyOf.delete(id);
    return ended.map(([, body]) => body);
  };
  return {
    took: (id, body) => void bodyOf.set(id, body),
    settled: (bodies) => void end(bodies),
    leave: (bodies = [...bodyOf.values()]) => goesAgain(end(bodies)),
  };
};
