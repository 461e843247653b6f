import { parentPort, workerData } from "node:worker_threads";
import { playShare } from "./run.ts";

await playShare(workerData, (run) => parentPort?.postMessage(run));
