import { means } from "./names.ts";

/** What a broker does with the destinations that a filter means; the manual's keys, and its defaults. */
export interface Policy {
  /** May a queue's message go back while nobody consumes the queue here, and after how many milliseconds? */
  readonly replayWhenNoConsumers: boolean;
  readonly replayDelay: number;
  /** Only who wants the message keeps it from going back. */
  readonly selectorAware: boolean;
  /** False: all consumers of a queue are equal. */
  readonly useConsumerPriority: boolean;
  /** Equals don't take turns: consumers here go first. */
  readonly strictOrderDispatch: boolean;
  /** False: doubles are possible. */
  readonly enableAudit: boolean;
  /** Messages that cross a link in one window of so many milliseconds; 0: as many as come. */
  readonly rateLimit: number;
  readonly rateDuration: number;
}

export interface PolicyLine extends Partial<Policy> {
  readonly destination: string;
}

const defaults: Policy = {
  replayWhenNoConsumers: false,
  replayDelay: 0,
  selectorAware: false,
  useConsumerPriority: true,
  strictOrderDispatch: false,
  enableAudit: true,
  rateLimit: 0,
  rateDuration: 1_000,
};

/** The destination's own line, else that of the narrowest pattern, else the first by name (spec W9). */
export const policyFor = (lines: readonly PolicyLine[], key: string): Policy => {
  const meaning = lines.filter(({ destination }) => means(destination, key)).toSorted((a, b) => (a.destination < b.destination ? -1 : 1));
  const isNarrowest = (line: PolicyLine) => meaning.every((other) => other === line || !means(line.destination, other.destination));
  return { ...defaults, ...(meaning.find(({ destination }) => destination === key) ?? meaning.find(isNarrowest) ?? meaning[0]) };
};
