import { type InvocationContext, unrefPause, withinTime } from "./invocation.ts";

export type Environment = Readonly<Record<string, string>>;
export type Handler = (event: unknown, context: InvocationContext) => Promise<unknown>;

export interface FunctionDefinition {
  readonly arn: string;
  readonly name: string;
  readonly timeoutSeconds: number;
  /** Starts an environment: called when an event comes and every handler made so far is at work, as Lambda does. */
  readonly create: () => Promise<Handler>;
}

/** A handler that threw or ran out of its time. */
export interface Failure {
  readonly function: string;
  readonly error: unknown;
}

/** The functions of all stacks: Lambda's part of the embedded AWS. */
export interface Functions {
  add(definition: FunctionDefinition): void;
  /** How often an asynchronous invocation that failed is tried again. Lambda's default is 2. */
  retry(arn: string, attempts: number): void;
  has(arn: string): boolean;
  /** Waits for the answer; throws what the handler threw. The event is JSON and the handler's own from now on, as a parsed payload is. */
  invoke(arn: string, event: unknown): Promise<unknown>;
  /** Lambda's asynchronous invocation: tried again after one minute, then after two. */
  invokeLater(arn: string, event: unknown): void;
  /** Every failed attempt so far, oldest first. */
  readonly failures: readonly Failure[];
  /** Gives up waiting retries and waits for what runs. */
  stop(): Promise<void>;
}

/** `pause` waits between retries; it rejects when its signal aborts. */
export const localFunctions = (pause: typeof unrefPause = unrefPause): Functions => {
  const definitions = new Map<string, FunctionDefinition>();
  const idle = new Map<string, Handler[]>();
  const retries = new Map<string, number>();
  const failures: Failure[] = [];
  const running = new Set<Promise<unknown>>();
  const stopping = new AbortController();

  const run = async (definition: FunctionDefinition, event: unknown): Promise<unknown> => {
    const free = idle.get(definition.arn) ?? [];
    idle.set(definition.arn, free);
    const handler = free.pop() ?? (await definition.create());
    return withinTime(definition, async (context) => {
      try {
        return await handler(event, context);
      } finally {
        free.push(handler);
      }
    });
  };

  const invoke = async (arn: string, event: unknown): Promise<unknown> => {
    const definition = definitions.get(arn);
    if (!definition) throw new Error(`no function ${arn}`);
    try {
      return throughJson(await run(definition, event));
    } catch (error) {
      failures.push({ function: definition.name, error });
      throw error;
    }
  };

  const invokeAndRetry = async (arn: string, event: unknown): Promise<void> => {
    for (let attempt = 0; attempt <= (retries.get(arn) ?? 2); attempt += 1) {
      if (attempt > 0) await pause(attempt * 60_000, stopping.signal);
      const failed = await invoke(arn, throughJson(event)).then(
        () => false,
        () => true,
      );
      if (!failed) return;
    }
  };

  return {
    add: (definition) => void definitions.set(definition.arn, definition),
    retry: (arn, attempts) => void retries.set(arn, attempts),
    has: (arn) => definitions.has(arn),
    invoke,
    invokeLater(arn, event) {
      // Rejects only when stopping ends the wait for a retry.
      const later = invokeAndRetry(arn, event)
        .catch(() => {})
        .finally(() => running.delete(later));
      running.add(later);
    },
    failures,
    async stop() {
      stopping.abort();
      while (running.size > 0) await Promise.all(running);
    },
  };
};

/** As a payload comes: nothing is shared, nothing that JSON can't carry gets through. */
const throughJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));
