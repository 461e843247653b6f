import { parseArgs } from "node:util";
import { batch } from "./world/queues.ts";

export const parts = ["selectors", "names", "calls", "control", "cpu", "throughput", "outage", "bundles"] as const;
export type Part = (typeof parts)[number];

export interface Options {
  readonly messages: number;
  readonly only: readonly Part[];
  readonly json: boolean;
  /** A limit that is missed ends the run with code 1. */
  readonly assert: boolean;
}

export const help = `npm run bench [-- --messages N] [--only PART]... [--json] [--assert]

Measures this checkout on this machine, on the embedded emulators: no AWS account, some minutes.

  selectors   evaluations of a compiled selector in a second of CPU
  names       look-ups of a name among 10,000 patterns in a second of CPU
  calls       AWS calls, bytes and dollars a message costs, for each way it can go
  control     AWS calls of control for each destination, with few of them and with many
  cpu         CPU of dispatch alone, its ports stubs
  throughput  messages a second across the embedded link and JMS bridge, beside a bare loop of the SDK
  outage      a local queue's latency while a peer hangs, and how fast the peer's messages come once it answers
  bundles     size and load time of each handler as it is deployed

  --messages N   messages of each measurement, a multiple of ${batch} [1000]
  --only PART    only this part; may be repeated
  --json         one JSON document on stdout (npm run --silent leaves npm's own lines out)
  --assert       ends with code 1 if a figure misses what is demanded, and says which: give it a machine that nobody else uses
  --help         this text`;

/** A command line that can't be followed; the message says what and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What the command line asks for. */
export const readOptions = (args: readonly string[]): Options | "help" => {
  const { messages = "1000", only = [...parts], json = false, assert = false, help: asked = false } = parsed(args);
  if (asked) return "help";
  if (!/^\d+$/.test(messages) || Number(messages) === 0 || Number(messages) % batch !== 0)
    throw new UsageError(`--messages ${messages}: give a multiple of ${batch}, such as --messages 500`);
  const unknown = only.find((part) => !isPart(part));
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: there is no such part; the parts are ${parts.join(", ")}`);
  return { messages: Number(messages), only: only.filter(isPart), json, assert };
};

const isPart = (text: string): text is Part => (parts as readonly string[]).includes(text);

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        messages: { type: "string" },
        only: { type: "string", multiple: true },
        json: { type: "boolean" },
        assert: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
};
