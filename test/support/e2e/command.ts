import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const repository = join(import.meta.dirname, "../../..");

/** Node 24 first: the CDK's app and MiniStack's Lambda workers run the `node` that PATH finds. */
export const path = `${join(repository, "node_modules/.bin")}${delimiter}${process.env.PATH}`;

/** The end of a long output: where a failure says why. */
export const lastLines = (output: string, count: number): string => output.trimEnd().split("\n").slice(-count).join("\n");

const patience = 120_000;

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Ends the command. */
  readonly signal: AbortSignal;
}

/** Runs a command of node_modules/.bin to its end and answers all it said. A failure says it with its last lines. */
export const runCommand = async (name: string, args: readonly string[], { env, signal }: CommandOptions): Promise<string> => {
  const options = {
    cwd: repository,
    env: { PATH: path, HOME: process.env.HOME, ...env },
    signal,
    timeout: patience,
    maxBuffer: 64 * 1024 * 1024,
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(name, [...args], options);
    return stdout + stderr;
  } catch (cause) {
    const { stdout = "", stderr = "", killed } = cause as { readonly stdout?: string; readonly stderr?: string; readonly killed?: boolean };
    const how = killed ? `didn't end within ${patience / 1_000} s` : "failed";
    throw new Error(`${name} ${args.join(" ")} ${how}:\n${lastLines(stdout + stderr, 40)}`, { cause });
  }
};
