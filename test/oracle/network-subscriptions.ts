import { decideDestination } from "../../core/broker/control/decide.ts";
import { patterns, readFacts } from "../../core/broker/control/facts.ts";
import { staticKeys } from "../../core/config/permitted.ts";
import type { DestinationKey } from "../../core/destination/destination.ts";
import type { LinkId } from "../../core/ids.ts";
import type { Brain } from "../../core/ports.ts";
import { sha256 } from "../support/hash.ts";
import type { SimulatedNetwork } from "../support/simulator/network.ts";

/** Demand that a broker holds for another one. */
export interface Subscription {
  readonly dest: string;
  readonly priority: number;
  /** Brokers it came through, the nearest last. */
  readonly path: readonly string[];
  /** It stands behind another one of its link, as one of the consumers that conduit folds. */
  readonly folded: boolean;
}

/** What ActiveMQ calls a broker's network subscriptions: the demand it serves, folded ones marked, under the names it was asked for. */
export const networkSubscriptions = async (net: SimulatedNetwork, at: string): Promise<readonly Subscription[]> => {
  const { brain, slice } = net.broker(at);
  const item = await brain.read("broker", "", "broker");
  if (!item) return [];
  const own = slice.connectors.filter(({ from }) => from === slice.broker);
  const learnt = await Promise.all(own.map(({ link }) => learntOver(brain, link)));
  const keys = new Set([...own.flatMap(staticKeys), ...learnt.flat()]);
  const found = await Promise.all(
    [...keys].map(async (key) => {
      const facts = await readFacts(brain, sha256, item.value, key, net.now());
      const { publish } = decideDestination({ ...facts, slice: { ...slice, advisorySupport: true } }, true, net.now());
      return publish
        .filter(({ path }) => path.length > 0)
        .map(({ path, priority, count }) => ({ dest: key, priority, path, folded: count === 0 }));
    }),
  );
  return found.flat();
};

const learntOver = async (brain: Brain, link: LinkId): Promise<readonly DestinationKey[]> => {
  const seen = await brain.read("seen", "", link);
  const scopes = [...Object.keys(seen?.value.buckets ?? {}), patterns];
  return (await Promise.all(scopes.map((scope) => brain.list("learnt", `${link}#${scope}`)))).flat().map(({ id }) => id);
};
