import type { Played, Snapshot, State } from "./play.ts";
import type { Count, RecordedState, RecordedSubscription, Scenario, Varying } from "./recording.ts";

/** One contract that ours didn't keep, in words. `about` says which. */
export interface Deviation {
  readonly about: "received" | "distinct" | "duplicates" | "order" | "depth" | "subscriptions";
  readonly dest: string;
  readonly what: string;
  /** Of counts: ours is less than any recorded one. */
  readonly fewer?: boolean;
  /** Of subscriptions: the destinations that the other side has some on at this broker. */
  readonly others: readonly string[];
}

/** Compares what our brokers did with what real ones did: totals by broker and destination, never the splits inside a broker. */
export const deviations = (scenario: Scenario, played: Played): readonly Deviation[] => {
  const { expected } = scenario;
  return [
    ...received(scenario, played),
    ...order(scenario, played),
    ...Object.entries(expected.snapshots ?? {}).flatMap(([label, { brokers }]) =>
      states(brokers, played.snapshots.get(label), `at ${label}`),
    ),
    ...states(expected.finalState, played.end, "at the end"),
  ];
};

const received = ({ expected }: Scenario, { received: bodies, consumers }: Played): Deviation[] => {
  const totals = totalsByPlace(expected.totalReceivedByBrokerAndDest);
  const groups = Map.groupBy(consumers, ({ broker, dest }) => `${broker} ${bare(dest)}`);
  return [...totals].flatMap(([place, total]): Deviation[] => {
    const its = groups.get(place) ?? [];
    const [, dest = ""] = place.split(" ");
    const slack = isShared(place, totals) ? 1 : 0;
    const ours = (count: (texts: readonly string[]) => number): number => sum(its.map(({ id }) => count(bodies.get(id) ?? [])));
    const check = (about: Deviation["about"], theirs: Count, own: number): Deviation[] =>
      isCount(theirs, own, slack)
        ? []
        : [
            {
              about,
              dest,
              others: [],
              fewer: own < added([theirs])[0],
              what: `${place}: ${about} ${own}, recorded ${JSON.stringify(theirs)}`,
            },
          ];
    const recorded = (counts: Readonly<Record<string, Count>>): Count => added(its.map(({ id }) => counts[id] ?? 0));
    const doublesAreExact = its.every(({ id }) => expected.duplicates[id] !== undefined);
    return [
      ...check(
        "received",
        total,
        ours(({ length }) => length),
      ),
      ...check("distinct", recorded(expected.distinctReceived), ours(distinct)),
      ...(doublesAreExact
        ? check(
            "duplicates",
            recorded(expected.duplicates),
            ours((texts) => texts.length - distinct(texts)),
          )
        : []),
    ];
  });
};

/** Options such as a priority are no part of the destination. */
const totalsByPlace = (totals: Readonly<Record<string, Count>>): ReadonlyMap<string, Count> =>
  new Map(
    [...Map.groupBy(Object.entries(totals), ([place]) => bare(place))].map(([place, same]) => [
      place,
      same.length > 1 ? added(same.map(([, count]) => count)) : (same[0]?.[1] ?? 0),
    ]),
  );

const bare = (dest: string): string => dest.split("?", 1)[0] ?? dest;
const distinct = (texts: readonly string[]): number => new Set(texts).size;
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Our schedule begins with another candidate than the order of opening: a share of a queue may differ by one. */
const isShared = (place: string, totals: ReadonlyMap<string, Count>): boolean => {
  const [, queue = ""] = place.split(" ");
  const others = [...totals].filter(([other, total]) => other.endsWith(` ${queue}`) && !isCount(total, 0));
  return queue.startsWith("queue://") && others.length > 1 && others.some(([other]) => other === place);
};

const order = ({ expected }: Scenario, { received: bodies, consumers }: Played): Deviation[] =>
  consumers
    .filter(({ id, dest }) => expected.inOrderPerProducer[id] === true && consumers.filter((other) => other.dest === dest).length === 1)
    .filter(({ id }) => !isInOrder(bodies.get(id) ?? []))
    .map(({ id, dest }) => ({ about: "order", dest, others: [], what: `consumer ${id} got ${bodies.get(id)?.join(" ")}` }));

const isInOrder = (texts: readonly string[]): boolean => {
  const byProducer = Map.groupBy(texts, (text) => text.slice(0, text.lastIndexOf("-")));
  return [...byProducer.values()].every((its) => {
    const numbers = its.map((text) => Number(text.slice(text.lastIndexOf("-") + 1)));
    return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? -1));
  });
};

const states = (recorded: Readonly<Record<string, RecordedState>>, snapshot: Snapshot | undefined, when: string): Deviation[] =>
  Object.entries(recorded).flatMap(([broker, theirs]) => {
    const ours = snapshot?.get(broker);
    return ours ? [...depths(broker, theirs, ours, when), ...subscriptions(broker, theirs, ours, when)] : [];
  });

const depths = (broker: string, { queues }: RecordedState, ours: State, when: string): Deviation[] =>
  Object.entries(queues)
    .filter(([queue, { depth }]) => !isCount(depth, ours.depths.get(queue) ?? 0))
    .map(([queue, { depth }]) => ({
      about: "depth",
      dest: `queue://${queue}`,
      others: [],
      what: `${broker} ${queue} ${when}: depth ${ours.depths.get(queue) ?? 0}, recorded ${JSON.stringify(depth)}`,
    }));

/** By destination and priority: every recorded path is one of ours, and every one of ours is recorded. */
const subscriptions = (broker: string, { networkSubscriptions }: RecordedState, ours: State, when: string): Deviation[] => {
  const own = ours.subscriptions.map(({ dest, priority, path }) => ({ dest, text: `${dest} @${priority} by ${path.join(">")}` }));
  const against = (list: readonly RecordedSubscription[]): Deviation[] => {
    const theirs = list.map((one) => ({ dest: one.dest, texts: textsOf(one) }));
    const missing = theirs.filter(({ texts }) => !own.some(({ text }) => texts.includes(text)));
    const extra = own.filter(({ text }) => !theirs.some(({ texts }) => texts.includes(text)));
    return [
      ...missing.map(({ dest, texts }) => deviation(dest, own, `${broker} ${when}: no subscription ${texts.join(" or ")}`)),
      ...extra.map(({ dest, text }) => deviation(dest, theirs, `${broker} ${when}: subscription ${text} isn't recorded`)),
    ];
  };
  const deviation = (dest: string, others: readonly { readonly dest: string }[], what: string): Deviation => ({
    about: "subscriptions",
    dest,
    others: others.map((other) => other.dest),
    what,
  });
  const [nearest = []] = alternativesOf(networkSubscriptions)
    .map((list) => against(list ?? []))
    .toSorted((a, b) => a.length - b.length);
  return nearest;
};

const textsOf = ({ dest, priority, brokerPath }: RecordedSubscription): string[] =>
  alternativesOf(priority).flatMap((level) =>
    alternativesOf(brokerPath).map((path) => `${dest} @${level} by ${(path ?? []).map((broker) => broker.toLowerCase()).join(">")}`),
  );

const alternativesOf = <T>(value: Varying<T>): readonly (T | null)[] =>
  typeof value === "object" && value !== null && "anyOf" in value ? value.anyOf : [value as T];

const rangesOf = (count: Count): (readonly [number, number])[] =>
  alternativesOf(count).map((value) => (typeof value === "number" ? [value, value] : (value ?? [0, 0])) as readonly [number, number]);

const isCount = (theirs: Count, ours: number, slack = 0): boolean =>
  rangesOf(theirs).some(([least, most]) => ours >= least - slack && ours <= most + slack);

/** The least and the most that several counts make together. */
const added = (counts: readonly Count[]): readonly [number, number] =>
  counts.reduce<readonly [number, number]>(
    ([least, most], count) => [
      least + Math.min(...rangesOf(count).map(([from]) => from)),
      most + Math.max(...rangesOf(count).map(([, to]) => to)),
    ],
    [0, 0],
  );
