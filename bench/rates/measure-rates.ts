import { median } from "../median.ts";
import { lookUps } from "./names.ts";
import { evaluations } from "./selectors.ts";

/** How often one thing is done in a second of CPU, the median of some rounds. */
export interface Rate {
  readonly what: string;
  readonly perSecond: number;
}

/** What is measured: `run` does it `times` over, and throws if it came to another result than it should. */
export interface Repeated {
  readonly what: string;
  readonly run: (times: number) => void;
}

const times = 500_000;
const rounds = 9;

export const measureSelectors = (say: (line: string) => void): Rate => rateOf(evaluations, say);
export const measureNames = (say: (line: string) => void): Rate => rateOf(lookUps, say);

/** CPU time of this process, so that a busy machine makes little difference. */
const rateOf = ({ what, run }: Repeated, say: (line: string) => void): Rate => {
  say(`measuring the rate of ${what}`);
  for (let warmUp = 0; warmUp < 3; warmUp += 1) run(times); // until the code is compiled
  const rates = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    run(times);
    const { user, system } = process.cpuUsage(before); // microseconds
    return (times * 1e6) / (user + system);
  });
  return { what, perSecond: median(rates) };
};
