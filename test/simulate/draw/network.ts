import type { NetworkInput } from "../../../core/config/define-network.ts";
import type { Picks } from "../../support/histories/picks.ts";
import type { ConnectorInput } from "../features.ts";
import { advisoryFilters, destinations, orderedDestinations, patterns } from "./names.ts";
import { drawEdges } from "./shapes.ts";

type BrokerInput = NetworkInput["brokers"][string];
type Habits = Omit<ConnectorInput, "name" | "to" | "duplex">;

/** A random network: its shape, how each pair is joined, and what connectors and brokers are set to. Defaults aren't written. */
export const drawNetwork = (picks: Picks, draw: (row: string) => number): NetworkInput => {
  const edges = drawEdges(picks, draw);
  const usual = drawHabits(picks);
  const habits = (): Habits => (picks.chance("as usual", 0.6) ? usual : drawHabits(picks));
  const owned = edges.flatMap((edge) => drawConnectors(picks, edge, habits));
  const shared = drawSettings(picks);
  const ordered = picks.chance("ordered", 0.2) ? orderedDestinations : [];
  const brokers = [...new Set(edges.flat())].toSorted().map((id): [string, BrokerInput] => {
    const networkConnectors = owned.flatMap(({ from, connector }) => (from === id ? [connector] : []));
    return [
      id,
      { region: "eu-west-1", ...shared, ...drawParticulars(picks, ordered), ...(networkConnectors.length > 0 && { networkConnectors }) },
    ];
  });
  return { network: "test", brokers: Object.fromEntries(brokers) };
};

const drawConnectors = (
  { pick, chance }: Picks,
  [one, other]: readonly [string, string],
  habits: () => Habits,
): readonly { readonly from: string; readonly connector: ConnectorInput }[] => {
  const [from, to] = chance("owner", 0.5) ? [one, other] : [other, one];
  const connector = (at: string, peer: string, name = `to-${peer}`) => ({ from: at, connector: { name, to: peer, ...habits() } });
  const duplex = () => ({ from, connector: { name: `${from}-${to}`, to, duplex: true, ...habits() } });
  switch (pick("joined", ["duplex", "duplex", "two", "two", "one", "parallel"] as const)) {
    case "duplex":
      return [duplex()];
    case "two":
      return [connector(from, to), connector(to, from)];
    case "one":
      return [connector(from, to)];
    default:
      return [duplex(), connector(from, to, `also-to-${to}`)];
  }
};

const drawHabits = ({ pick, chance }: Picks): Habits => {
  const some = (row: string, probability: number) => (chance(row, probability) ? someFilters(row) : undefined);
  const someFilters = (row: string): string[] => [
    ...new Set([pick(row, filters), ...(chance(`${row} more`, 0.4) ? [pick(row, filters)] : [])]),
  ];
  const forced = (list: string[] | undefined) =>
    list?.map((one) => (one.startsWith("topic:") && chance("forceDurable", 0.25) ? `${one}?forceDurable=true` : one));
  const statics = forced(some("static", 0.15));
  return withoutUndefined({
    networkTTL: pick("TTL", [undefined, undefined, 2, 3, 3, -1, -1, 0]),
    messageTTL: chance("messageTTL", 0.12) ? pick("messageTTL", [1, 2, -1]) : undefined,
    consumerTTL: chance("consumerTTL", 0.12) ? pick("consumerTTL", [1, 2, -1]) : undefined,
    conduitSubscriptions: chance("no conduit", 0.45) ? false : undefined,
    conduitSelectors: chance("conduitSelectors", 0.25) ? "ignore" : undefined,
    conduitNetworkQueueSubscriptions: chance("network conduit", 0.25) ? true : undefined,
    decreaseNetworkConsumerPriority: chance("decreasing", 0.35) ? true : undefined,
    consumerPriorityBase: chance("base", 0.15) ? pick("base", [-7, -3, 2]) : undefined,
    suppressDuplicateQueueSubscriptions: chance("queue suppression", 0.35) ? true : undefined,
    suppressDuplicateTopicSubscriptions: chance("no topic suppression", 0.3) ? false : undefined,
    dynamicallyIncludedDestinations: forced(some("dynamic", 0.2)),
    excludedDestinations: some("exclude", 0.2),
    staticallyIncludedDestinations: statics,
    dynamicOnly: chance("dynamicOnly", 0.15) ? true : undefined,
    syncDurableSubs: chance("syncDurableSubs", 0.3) ? true : undefined,
    staticBridge: chance("static bridge", statics ? 0.3 : 0.02) ? true : undefined,
    prefetchSize: chance("prefetchSize", 0.15) ? pick("prefetchSize", [1, 3]) : undefined,
    destinationFilter: chance("destinationFilter", 0.1) ? pick("destinationFilter", advisoryFilters) : undefined,
    autoStart: chance("not started", 0.06) ? false : undefined,
  });
};
const filters = [...destinations, ...patterns];

/** What all brokers of a network are set to. */
const drawSettings = (picks: Picks): Partial<BrokerInput> => {
  const { pick, chance } = picks;
  const policies = [
    ...(chance("replay", 0.3)
      ? [{ destination: pick("replay for", ["queue://>", "queue://q.a"]), ...drawReplay(picks), ...drawPolicy(picks) }]
      : []),
    ...(chance("policy", 0.2)
      ? [{ destination: pick("policy for", ["topic://>", "topic://t.a", "queue://q.*", "queue://q.b"]), ...drawPolicy(picks) }]
      : []),
  ];
  return withoutUndefined({
    destinationPolicies: policies.length > 0 ? policies : undefined,
    autoCreateDestinations: chance("making", 0.1)
      ? pick("making", [
          ["queue://>", "topic://>"],
          ["queue://q.*", "topic://t.*"],
        ])
      : undefined,
    peerLease: chance("lease", 0.1) ? 120 : undefined,
  });
};

const drawReplay = ({ pick, chance }: Picks) => ({
  replayWhenNoConsumers: true,
  replayDelay: pick("replayDelay", [0, 0, 5_000]),
  ...(chance("selectorAware", 0.4) && { selectorAware: true }),
});

const drawPolicy = ({ pick, chance }: Picks) => ({
  ...(chance("unaudited", 0.3) && { enableAudit: false }),
  ...(chance("rate", 0.3) && { rateLimit: pick("rateLimit", [1, 2]), rateDuration: pick("rateDuration", [500, 5_000]) }),
  ...(chance("no priorities", 0.2) && { useConsumerPriority: false }),
  ...(chance("strict order", 0.3) && { strictOrderDispatch: true }),
});

const drawParticulars = ({ chance }: Picks, ordered: readonly string[]): Partial<BrokerInput> => {
  const declared = [...(chance("declared", 0.2) ? ["queue://q.a"] : []), ...(chance("declared", 0.2) ? ["topic://t.a"] : []), ...ordered];
  const [queues, topics] = [namesOf(declared, "queue"), namesOf(declared, "topic")];
  return withoutUndefined({
    advisorySupport: chance("no advisories", 0.05) ? false : undefined,
    queues: queues.length > 0 ? queues : undefined,
    topics: topics.length > 0 ? topics : undefined,
  });
};
const namesOf = (keys: readonly string[], kind: string): string[] =>
  keys.flatMap((key) => (key.startsWith(`${kind}://`) ? [key.slice(kind.length + 3)] : []));

const withoutUndefined = <T extends object>(settings: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
