import type { Events, OutgoingEvent } from "../../ports.ts";

/** What the waves of a batch have to say is said once, when it is over: one call, no two equal events. */
export const gathering = (events: Events): { readonly events: Events; flush(): Promise<void> } => {
  const gathered = new Map<string, OutgoingEvent>();
  return {
    events: {
      send: async (more) => {
        for (const one of more) gathered.set(JSON.stringify(one), one);
        return { dropped: 0 };
      },
    },
    flush: async () => {
      if (gathered.size > 0) await events.send([...gathered.values()]);
    },
  };
};
