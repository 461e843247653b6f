import type { DestinationKey } from "../../destination/destination.ts";
import type { Brain, Events, Stored } from "../../ports.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { Identity } from "../identity.ts";
import type { SubscriptionRecord } from "../records.ts";
import { judgeAgain } from "./judge-again.ts";

export interface SubscriptionRowPorts {
  readonly identity: Pick<Identity, "self">;
  readonly brain: Brain;
  readonly events: Events;
}

/**
 * A topic's rows, as calls to SNS need them: each is written before its call and after. Whoever hangs in between may find that somebody judged
 * by later facts meanwhile: the row hasn't the revision any more that it had by his first write (`begun`).
 */
export const subscriptionRows = (ports: SubscriptionRowPorts, topic: DestinationKey) => {
  const write = (id: string, next: SubscriptionRecord | undefined, judgedBy: number): Promise<number> =>
    writeJudged(ports.brain, "subscription", topic, id, next, judgedBy);
  const read = (id: string): Promise<Stored<SubscriptionRecord> | undefined> => ports.brain.read("subscription", topic, id);
  const another = (id: string) => new Contended(`subscription ${topic} ${id}`);

  return {
    write,
    /**
     * What SNS has by now stands there, whatever became of the row. If that was somebody's, it is judged anew, and SNS asked again, who may
     * have told it something else; what he is about to end goes on ending.
     */
    noteSubscribed: async (id: string, next: SubscriptionRecord, begun: number): Promise<void> => {
      if ((await ports.brain.write("subscription", topic, id, next, begun)) !== "moved") return;
      const stored = await read(id);
      await judgeAgain(ports, topic, false, 1);
      const left = stored?.value.state === "removing" ? ({ state: "removing" } as const) : { doubtedFrom: 0 };
      await write(id, { ...next, ...left }, stored?.revision ?? 0);
      throw another(id);
    },
    /** Of a row on its way out: if somebody made it anew meanwhile, it is his. Where none is left, what SNS has needs one until it is told. */
    noteRemoving: async (id: string, next: SubscriptionRecord | undefined, begun: number): Promise<number> => {
      const noted = await ports.brain.write("subscription", topic, id, next, begun);
      if (noted !== "moved") return noted;
      if (await read(id)) throw another(id);
      return write(id, next, 0);
    },
  };
};
