import { differingFields } from "./compare-messages.ts";
import { type Unmatched, unmatchedSubscriptions } from "./compare-subscriptions.ts";
import { added, alternativesOf, isCount, sum } from "./counts.ts";
import type { Played, Snapshot, State } from "./play.ts";
import type { Count, RecordedDurable, RecordedState, Scenario } from "./recording.ts";

/** One contract that ours didn't keep, in words. `about` says which. */
export type Deviation = { readonly dest: string; readonly what: string } & (
  | { readonly about: "received" | "distinct" | "duplicates" /** Ours is less than any recorded one. */; readonly fewer: boolean }
  | { readonly about: "order" | "depth" | "durable" }
  /** Of the last message of a consumer. */
  | { readonly about: "message"; readonly field: string; readonly fewer: boolean }
  /** Messages of queues, received or still there: none may be lost or doubled on the whole. */
  | { readonly about: "sum"; readonly fewer: boolean }
  | ({ readonly about: "subscriptions" } & Pick<Unmatched, "isFolded" | "isMissing" | "isFurther" | "priorities">)
);

/** Compares what our brokers did with what real ones did: totals by broker and destination, never the splits inside a broker. */
export const deviations = (scenario: Scenario, played: Played): readonly Deviation[] => {
  const { expected } = scenario;
  return [
    ...received(scenario, played),
    ...sums(scenario, played),
    ...order(scenario, played),
    ...messages(scenario, played),
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
    const recorded = (counts: Readonly<Record<string, Count>>): Count => added(its.map(({ id }) => counts[id] ?? 0));
    const check = (about: "received" | "distinct" | "duplicates", theirs: Count, own: number, may = 0): Deviation[] =>
      isCount(theirs, own, may)
        ? []
        : [{ about, dest, fewer: own < added([theirs])[0], what: `${place}: ${about} ${own}, recorded ${JSON.stringify(theirs)}` }];
    const { duplicates = {} } = expected;
    const doublesAreExact = its.every(({ id }) => duplicates[id] !== undefined);
    const doubles = ours((texts) => texts.length - distinct(texts));
    return [
      ...check("received", total, sum(its.map(({ id }) => bodies.get(id)?.length ?? 0)), slack),
      ...check("distinct", recorded(expected.distinctReceived), ours(distinct), slack),
      ...(doublesAreExact ? check("duplicates", recorded(duplicates), doubles) : []),
    ];
  });
};

/** What consumers of queues received and what is still in queues at the end: no share, so exact. Who reads without acknowledging counts twice. */
const sums = ({ expected }: Scenario, { received: bodies, consumers, end }: Played): Deviation[] => {
  if (consumers.some(({ ack }) => ack === "none")) return [];
  const isQueue = (place: string): boolean => place.includes("queue://");
  const theirs = added([
    ...Object.entries(expected.totalReceivedByBrokerAndDest).flatMap(([place, total]) => (isQueue(place) ? [total] : [])),
    ...Object.values(expected.finalState).flatMap(({ queues }) => Object.values(queues).map(({ depth }) => depth)),
  ]);
  const recordedQueues = Object.entries(expected.finalState).flatMap(([broker, { queues }]) =>
    Object.keys(queues).map((queue) => end.get(broker)?.depths.get(queue) ?? 0),
  );
  const ours = sum([...consumers.filter(({ dest }) => isQueue(dest)).map(({ id }) => bodies.get(id)?.length ?? 0), ...recordedQueues]);
  if (isCount([theirs[0], theirs[1]], ours)) return [];
  return [
    {
      about: "sum",
      fewer: ours < theirs[0],
      dest: "all queues",
      what: `${ours} messages received from queues or there, recorded ${theirs.join(" to ")}`,
    },
  ];
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

/** Our schedule begins with another candidate than the order of opening: a share of a queue may differ by one. */
const isShared = (place: string, totals: ReadonlyMap<string, Count>): boolean => {
  const [, queue = ""] = place.split(" ");
  const others = [...totals].filter(([other, total]) => other.endsWith(` ${queue}`) && !isCount(total, 0));
  return queue.startsWith("queue://") && others.length > 1 && others.some(([other]) => other === place);
};

const order = ({ expected: { inOrderPerProducer = {} } }: Scenario, { received: bodies, consumers }: Played): Deviation[] =>
  consumers
    .filter(({ id, dest }) => inOrderPerProducer[id] === true && consumers.filter((other) => other.dest === dest).length === 1)
    .filter(({ id }) => !isInOrder(bodies.get(id) ?? []))
    .map(({ id, dest }) => ({ about: "order", dest, what: `consumer ${id} got ${bodies.get(id)?.join(" ")}` }));

const messages = ({ expected: { lastMessage = {} } }: Scenario, { last, consumers }: Played): Deviation[] =>
  Object.entries(lastMessage).flatMap(([id, theirs]) => {
    const ours = last.get(id);
    const dest = consumers.find((one) => one.id === id)?.dest ?? "";
    const differing = ours ? differingFields(theirs, ours) : [{ field: "body", fewer: true, what: "there is none" }];
    return differing.map(({ what, ...one }): Deviation => ({ about: "message", dest, ...one, what: `last of consumer ${id}: ${what}` }));
  });

const isInOrder = (texts: readonly string[]): boolean => {
  const byProducer = Map.groupBy(texts, (text) => text.slice(0, text.lastIndexOf("-")));
  return [...byProducer.values()].every((its) => {
    const numbers = its.map((text) => Number(text.slice(text.lastIndexOf("-") + 1)));
    return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? -1));
  });
};

const states = (recorded: Readonly<Record<string, RecordedState | "stopped">>, snapshot: Snapshot | undefined, when: string): Deviation[] =>
  Object.entries(recorded).flatMap(([broker, theirs]): Deviation[] => {
    const ours = snapshot?.get(broker);
    if (!ours || theirs === "stopped") return [];
    const unmatched = unmatchedSubscriptions(theirs.networkSubscriptions, ours.subscriptions);
    return [
      ...depths(broker, theirs, ours, when),
      ...durables(broker, theirs, ours, when),
      ...unmatched.map((one) => ({ ...one, about: "subscriptions" as const, what: `${broker} ${when}: ${one.what}` })),
    ];
  });

const depths = (broker: string, { queues }: RecordedState, ours: State, when: string): Deviation[] =>
  Object.entries(queues)
    .filter(([queue, { depth }]) => !isCount(depth, ours.depths.get(queue) ?? 0))
    .map(([queue, { depth }]) => ({
      about: "depth",
      dest: `queue://${queue}`,
      what: `${broker} ${queue} ${when}: depth ${ours.depths.get(queue) ?? 0}, recorded ${JSON.stringify(depth)}`,
    }));

/** Those of clients: a bridge's own have no counterpart. What waits in one that is offline isn't told by all brokers. */
const durables = (broker: string, { durableSubscriptions = [] }: RecordedState, ours: State, when: string): Deviation[] => {
  const [recorded] = alternativesOf(durableSubscriptions);
  const theirs = (recorded ?? []).filter(({ clientId }) => !clientId.includes("_inbound_"));
  const told = ({ clientId, name, dest, active }: RecordedDurable): string =>
    `${clientId}:${name} of ${dest}, ${active === true ? "active" : "offline"}`;
  const [here, there] = [new Set(ours.durables.map(told)), new Set(theirs.map(told))];
  return [...ours.durables, ...theirs]
    .filter((one) => here.has(told(one)) !== there.has(told(one)))
    .map((one) => ({
      about: "durable",
      dest: one.dest,
      what: `${broker} ${when}: ${told(one)}, only ${here.has(told(one)) ? "ours" : "recorded"}`,
    }));
};
