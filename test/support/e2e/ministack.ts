import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { close, listen } from "../../../local/listen.ts";
import { lastLines, path } from "./command.ts";

export interface MiniStack {
  readonly endpoint: string;
  /** The last lines of its log, with those of the Lambda functions among them. */
  said(): string;
  /** Ends it and its Lambda workers, whatever they are at. What it held is gone: it keeps all in memory. */
  stop(): Promise<void>;
}

/** Its whole process group ends when standard input does, so that it never outlives this process, however that ends. */
const untilInputEnds = 'exec 3<&0; (cat <&3 > /dev/null; kill -KILL 0) & exec "$0" < /dev/null 3<&-';

/** Starts MiniStack on a free port. Its log and what its Lambda functions unpack stand in `folder`. */
export const startMiniStack = async (command: string, folder: string): Promise<MiniStack> => {
  const endpoint = await freeAddress(); // an IP address: for a name, S3 would put the bucket into it
  const log = join(folder, "ministack.log");
  const output = openSync(log, "w");
  const env = { PATH: path, HOME: process.env.HOME, TMPDIR: folder, GATEWAY_PORT: new URL(endpoint).port, BIND_HOST: "127.0.0.1" };
  const child = spawn("sh", ["-c", untilInputEnds, command], { detached: true, env, stdio: ["pipe", output, output] });
  closeSync(output);
  const ended = once(child, "exit");
  const said = () => `MiniStack said at last:\n${lastLines(readFileSync(log, "utf8"), 40)}`;
  const stop = async () => {
    child.stdin?.end();
    await ended;
  };
  await answers(endpoint, child).catch(async (cause: unknown) => {
    await stop();
    throw new Error(`MiniStack doesn't answer at ${endpoint} (if it is broken, remove .cache and run again). ${said()}`, { cause });
  });
  return { endpoint, said, stop };
};

const answers = async (endpoint: string, child: ChildProcess): Promise<void> => {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      if ((await fetch(`${endpoint}/_ministack/health`)).ok) return;
    } catch (cause) {
      if (Date.now() > deadline || child.exitCode !== null) throw cause;
    }
    await pause(100);
  }
};

const freeAddress = async (): Promise<string> => {
  const server = createServer();
  const address = await listen(server, 0);
  await close(server);
  return address;
};
