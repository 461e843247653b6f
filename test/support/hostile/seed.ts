import { randomInt } from "node:crypto";

/** A fresh one for each run, unless SPANMQ_SEED replays another's. Suites name it, so that a failure says what to replay. */
export const seed = Number(process.env.SPANMQ_SEED || randomInt(1_000_000));
