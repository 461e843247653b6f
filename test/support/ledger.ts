/** A message that a consumer is to get. */
export interface Owed {
  readonly consumer: string;
  readonly body: string;
}

/** What was sent and what came, told by producers and consumers alone. */
export interface Ledger {
  sent(body: string, consumers: readonly string[]): void;
  received(consumer: string, body: string): void;
  missing(): readonly Owed[];
  /** Messages to be received, and receptions beyond the first of each. */
  counts(): { readonly owed: number; readonly doubles: number };
}

export const ledger = (): Ledger => {
  const owed = new Map<string, Owed>();
  const receptions = new Map<string, number>();
  const keyOf = (consumer: string, body: string) => `${consumer} ${body}`;
  return {
    sent: (body, consumers) => {
      for (const consumer of consumers) owed.set(keyOf(consumer, body), { consumer, body });
    },
    received: (consumer, body) => {
      const key = keyOf(consumer, body);
      receptions.set(key, (receptions.get(key) ?? 0) + 1);
    },
    missing: () => [...owed].filter(([key]) => !receptions.has(key)).map(([, one]) => one),
    counts: () => ({ owed: owed.size, doubles: [...receptions.values()].reduce((sum, count) => sum + count - 1, 0) }),
  };
};
