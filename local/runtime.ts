import { type StandsBefore, startAws } from "./embedded-aws.ts";
import { type Clients, type Endpoints, environmentFor } from "./endpoints.ts";
import type { Environment, Failure } from "./functions.ts";
import { type StandingStack, startStack } from "./standing-stack.ts";
import type { Entry } from "./template/resource-type.ts";
import type { Stack } from "./template/template.ts";

export interface RuntimeOptions {
  /** The first of three ports in a row. @default three free ports */
  readonly port?: number;
  /** What stands between everybody and the embedded services, such as a proxy; whoever gives it ends it. @default nothing */
  readonly before?: StandsBefore;
  /** Whether schedules run. Without them time only passes by `tickNow`. @default true */
  readonly tick?: boolean;
  /** @default the source files of this repository */
  readonly load?: (entry: string) => Promise<Entry>;
  /** Called when a stack stands. */
  readonly onStack?: (stack: Stack) => void;
}

export interface Runtime {
  readonly endpoints: Endpoints;
  /** Plain SDK clients of a region; they end with the runtime. */
  clientsFor(region: string): Clients;
  /** The same for an SDK in another process. */
  environmentFor(region: string): Environment;
  /** Runs a stack's schedules once, now, and waits for their functions. */
  tickNow(stackName: string): Promise<void>;
  /** What handlers threw and event sources stumbled over. */
  failures(): readonly Failure[];
  /** Ends polls and schedules, waits for handlers at work, closes every socket. */
  stop(): Promise<void>;
}

/** Brings up stacks, one after the other as at a first deployment, and runs what they hold in this process. */
export const startRuntime = async (stacks: readonly Stack[], options: RuntimeOptions = {}): Promise<Runtime> => {
  const { port = 0, before, tick = true, load = loadSource, onStack } = options;
  const aws = await startAws(port, before);
  const standing = new Map<string, StandingStack>();
  const faults: Failure[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (const stack of standing.values()) stack.stop();
    await aws.stop();
  };
  const onFault = ({ queueArn }: { readonly queueArn: string }, error: unknown) =>
    faults.push({ function: `event source of ${queueArn}`, error });
  try {
    for (const stack of stacks) {
      standing.set(stack.name, await startStack(stack, aws, { tick, load, onFault }));
      onStack?.(stack);
    }
  } catch (cause) {
    await stopAll();
    throw cause;
  }
  return {
    endpoints: aws.endpoints,
    clientsFor: aws.clientsFor,
    environmentFor: (region) => environmentFor(aws.endpoints, region),
    async tickNow(stackName) {
      const stack = standing.get(stackName);
      if (!stack) throw new Error(`no stack ${stackName}: there are ${[...standing.keys()].join(", ")}`);
      await stack.tickNow();
    },
    failures: () => [...aws.functions.failures, ...faults],
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
};

const loadSource = (entry: string): Promise<Entry> => import(new URL(`../${entry}`, import.meta.url).href);
