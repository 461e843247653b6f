import type { BrokerItem } from "../core/broker/records.ts";
import { type DestinationKey, destinationOf } from "../core/destination/destination.ts";
import { isFifo } from "../core/destination/fifo.ts";
import type { Brain, Views } from "../core/ports.ts";
import type { DestinationView } from "../core/routing/view.ts";

/** Remembers an answer for a while, a missing one too; concurrent askers share one question, a failed question is forgotten. */
const cached = <T>(ask: (key: string) => Promise<T>, now: () => number, lifeMs: number) => {
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();
  return (key: string): Promise<T> => {
    const known = kept.get(key);
    if (known && now() < known.until) return known.answer;
    const answer = ask(key);
    kept.set(key, { until: now() + lifeMs, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  };
};

/** Dispatch's picture of the brain: at most `lifeMs` old, of a FIFO destination never. */
export const cachedViews = (brain: Brain, now: () => number, lifeMs = 1000): Views => {
  const ask = async (key: DestinationKey) => (await brain.read("view", "", key))?.value;
  const remembered = cached(ask, now, lifeMs);
  const viewOf = (key: DestinationKey) => (isFifo(destinationOf(key)) ? ask(key) : remembered(key));
  const brokerOf = cached(async (id) => (await brain.read("broker", "", id))?.value, now, lifeMs);

  return {
    broker: async (): Promise<BrokerItem> => {
      const item = await brokerOf("broker");
      if (!item) throw new Error("the brain holds no configuration: deploy the stack again, its custom resource writes the broker's slice");
      return item;
    },
    read: async (destinations: readonly DestinationKey[]) => {
      const views = await Promise.all(destinations.map(async (key) => [key, await viewOf(key)] as const));
      return new Map(views.filter((entry): entry is readonly [DestinationKey, DestinationView] => entry[1] !== undefined));
    },
  };
};
