import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";

/** Seeds that one process plays: `seed`, `seed + step`, …, below `end`. */
export interface Share {
  readonly seed: number;
  readonly end: number;
  readonly step: number;
}

export interface Runs {
  readonly runs: number;
  readonly seed: number;
  readonly workers: number;
}

/** Plays runs in threads of this entry, each of which plays a share; `note` is told what each run came to, in any order. */
export const sideBySide = async <Run>(
  entry: URL,
  { runs, seed, workers }: Runs,
  note: (run: Run) => void,
  progress: (line: string) => void,
): Promise<void> => {
  let played = 0;
  const began = performance.now();
  const hear = (run: Run): void => {
    note(run);
    played += 1;
    const perSecond = (1_000 * played) / (performance.now() - began);
    if (played % 100 === 0) progress(`${played} of ${runs} runs, ${perSecond.toFixed(1)} a second`);
  };
  const play = async (index: number): Promise<void> => {
    const share: Share = { seed: seed + index, end: seed + runs, step: workers };
    const worker = new Worker(entry, { workerData: share });
    worker.on("message", hear);
    await once(worker, "exit"); // rejects on its error
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => play(index)));
};

/** What an entry of `sideBySide` does. */
export const playMyShare = async <Run>(play: (share: Share, tell: (run: Run) => void) => Promise<void>): Promise<void> =>
  play(workerData as Share, (run) => parentPort?.postMessage(run));
