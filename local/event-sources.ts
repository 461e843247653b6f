import type { DeclaredSource, EventSource, RunningEventSource } from "./event-source.ts";
import { ServiceFault } from "./services/parameters.ts";

/** The event source mappings of all stacks: Lambda's list of them, and its switch. */
export interface EventSources {
  /** Registers one that runs from now on, or that waits to be switched on. */
  add(source: DeclaredSource, run: () => RunningEventSource): void;
  find(functionArn: string, queueArn: string): readonly Mapping[];
  turn(id: string, enabled: boolean): Mapping;
  /** Ends long polls and waits for batches at work, those of sources switched off too. */
  stop(): Promise<void>;
}

export interface Mapping {
  readonly UUID: string;
  readonly State: "Enabled" | "Disabled";
}

interface Registered {
  readonly source: EventSource;
  readonly run: () => RunningEventSource;
  running?: RunningEventSource | undefined;
}

export const eventSources = (): EventSources => {
  const registered: Registered[] = [];
  const ended: RunningEventSource[] = [];
  const mappingOf = (one: Registered): Mapping => ({
    UUID: String(registered.indexOf(one)),
    State: one.running ? "Enabled" : "Disabled",
  });
  const end = (one: Registered): void => {
    if (!one.running) return;
    one.running.end();
    ended.push(one.running);
    one.running = undefined;
  };

  return {
    add: (source, run) => void registered.push({ source, run, running: source.enabled ? run() : undefined }),
    find: (functionArn, queueArn) =>
      registered.filter(({ source }) => source.functionArn === functionArn && source.queueArn === queueArn).map(mappingOf),
    turn(id, enabled) {
      const one = registered[Number(id)];
      if (!one) throw new ServiceFault("ResourceNotFoundException", `no event source mapping ${id}`, 404);
      if (enabled) one.running ??= one.run();
      else end(one);
      return mappingOf(one);
    },
    async stop() {
      for (const one of registered) end(one);
      await Promise.all(ended.map((running) => running.stop()));
    },
  };
};
