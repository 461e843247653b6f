const unitMilliseconds = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** `rate(1 minute)` in milliseconds; other kinds of schedules aren't embedded. */
export const rateMilliseconds = (expression: string): number => {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (!rate) throw new Error(`schedule ${expression} isn't embedded: rate(…) is, others belong into local/schedule.ts`);
  return Number(rate[1]) * unitMilliseconds[rate[2] as keyof typeof unitMilliseconds];
};

/** A schedule of the scheduler: what it invokes, how often and with what. */
export interface Schedule {
  readonly functionArn: string;
  readonly everyMilliseconds: number;
  readonly input: unknown;
}

/** Runs until stopped; a schedule alone doesn't keep the process alive. */
export const startSchedule = ({ everyMilliseconds }: Schedule, run: () => void): { stop(): void } => {
  const timer = setInterval(run, everyMilliseconds).unref();
  return { stop: () => clearInterval(timer) };
};
