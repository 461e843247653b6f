import type { EmbeddedAws } from "./embedded-aws.ts";
import { environmentFor } from "./endpoints.ts";
import { type EventSource, startEventSource } from "./event-source.ts";
import { startSchedule } from "./schedule.ts";
import { bringUp } from "./template/bring-up.ts";
import type { Entry, StackContext } from "./template/resource-type.ts";
import type { Stack } from "./template/template.ts";

export interface StandingStackOptions {
  /** Whether its schedules run by themselves. */
  readonly tick: boolean;
  readonly load: (entry: string) => Promise<Entry>;
  readonly onFault: (source: EventSource, error: unknown) => void;
}

/** A stack whose resources are made and whose event sources and schedules run. */
export interface StandingStack {
  /** Runs its schedules once and waits for their functions. */
  tickNow(): Promise<void>;
  /** Ends schedules; event sources end with the services. */
  stop(): void;
}

export const startStack = async (stack: Stack, aws: EmbeddedAws, { tick, load, onFault }: StandingStackOptions): Promise<StandingStack> => {
  const { functions, endpoints } = aws;
  const { name: stackName, region } = stack;
  const clients = aws.clientsFor(region);
  const environment = environmentFor(endpoints, region);
  const left = { providers: new Map(), sources: [], schedules: [] };
  const context: StackContext = { stackName, region, clients, functions, environment, load, ...left };
  await bringUp(stack, context);
  for (const source of context.sources)
    aws.eventSources.add(source, () => startEventSource(source, { endpoint: endpoints.sqs, invoke: functions.invoke, onFault }));
  const schedules = (tick ? context.schedules : []).map((schedule) =>
    startSchedule(schedule, () => functions.invokeLater(schedule.functionArn, schedule.input)),
  );
  return {
    async tickNow() {
      await Promise.all(context.schedules.map(({ functionArn, input }) => functions.invoke(functionArn, structuredClone(input))));
    },
    stop() {
      for (const schedule of schedules) schedule.stop();
    },
  };
};
