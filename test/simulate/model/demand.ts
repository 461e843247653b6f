import { isPattern, kindOf, means } from "./names.ts";
import { type Consumer, includesAlways, listens, mayStand, type Picture, permits, type Way } from "./picture.ts";
import { cover, unionOf } from "./selectors.ts";

/** Consumers of one priority at one broker, as somebody else sees them over one route. */
export interface Route {
  readonly origin: string;
  /** What they have in common there, by the name that brokers tell it by; a static include is nobody's. */
  readonly group: string;
  /** From the origin to the broker that tells of them; empty where they are its own. */
  readonly path: readonly string[];
  /** What a subscription for them has here. */
  readonly priority: number;
  readonly count: number;
  /** They want what any of these takes; absent: everything. */
  readonly selectors?: readonly string[];
  /** It stands whether or not anybody is there (spec DUR-2). */
  readonly durable?: true;
  /** Since when none of them has a client; absent: one has. */
  readonly offlineSince?: number;
  /** Nothing crosses some way on it just now. */
  readonly waits?: true;
}

/** What a broker tells under a name: asked by broker and key. */
export type Told = (broker: string, key: string) => readonly Route[];
type Served = ReadonlyMap<Way, readonly Route[]>;

const nobody: Told = () => [];
const enoughRounds = 40;

/** What brokers tell each other when all has been said: each listens to its peers and tells on, round by round, until nothing is new. */
export const telling = (picture: Picture, keys: readonly string[]): Told => {
  let told = nobody;
  for (let round = 0; round < enoughRounds; round += 1) {
    const next = tellOn(picture, keys, told);
    const isOver = picture.brokers.every(({ id }) => keys.every((key) => sameRoutes(next(id, key), told(id, key))));
    told = next;
    if (isOver) return told;
  }
  throw new Error("the model never ends telling: demand has no rest in this network");
};

const tellOn = (picture: Picture, keys: readonly string[], told: Told): Told => {
  const rows = picture.brokers.flatMap(({ id, tells }) =>
    keys.map((key): readonly [string, readonly Route[]] => {
      if (!tells || !(isPattern(key) || mayStand(picture, id, key))) return [`${id} ${key}`, []];
      const served = serve(picture, id, key, {
        heard: ({ to }) => told(to, key),
        isAlways: (way) => way.staticallyIncludedDestinations.includes(key),
        mayHear: (way) => listens(way, key) && permits(way, key),
      });
      return [`${id} ${key}`, [...ownRoutes(picture, id, key), ...[...served.values()].flat()]];
    }),
  );
  const known = new Map(rows);
  return (broker, key) => known.get(`${broker} ${key}`) ?? [];
};

const ownRoutes = ({ consumers }: Picture, at: string, key: string): Route[] =>
  [
    ...Map.groupBy(
      consumers.filter((one) => one.at === at && one.key === key),
      ({ priority, selector, durable }) =>
        [`${durable ? "durable " : ""}priority ${priority}`, ...(selector === undefined ? [] : [selector])].join(" where "),
    ),
  ].map(([group, those]) => ({
    origin: at,
    group,
    path: [],
    priority: those[0]?.priority ?? 0,
    count: those.length,
    ...(those[0]?.selector !== undefined && { selectors: [those[0].selector] }),
    ...(those[0]?.durable && { durable: true as const, ...offline(those) }),
  }));

const offline = (durables: readonly Consumer[]): Pick<Route, "offlineSince"> => {
  const since = Math.max(...durables.map(({ offlineSince = Number.POSITIVE_INFINITY }) => offlineSince));
  return Number.isFinite(since) ? { offlineSince: since } : {};
};

interface Hearing {
  readonly heard: (way: Way) => readonly Route[];
  readonly isAlways: (way: Way) => boolean;
  readonly mayHear: (way: Way) => boolean;
}

/** What a broker serves of a destination over each of its ways (spec sections 5 to 7). */
const serve = ({ ways }: Picture, at: string, key: string, { heard, isAlways, mayHear }: Hearing): Served => {
  const permitted = ways.filter((way) => way.from === at && permits(way, key));
  const routes = permitted.flatMap((way) => {
    const learnt = mayHear(way) ? heard(way).filter((route) => reaches(route, way) && isSeen(route, way)) : [];
    const always: Route[] = isAlways(way) ? [{ origin: way.to, group: "static", path: [], priority: 0, count: 1 }] : [];
    const forced = way.forceDurable?.some((filter) => means(filter, key)) ? { durable: true as const } : {};
    const all = [...learnt, ...always].map((route) => ({ way, route: { ...seenOver(way, route), ...forced } }));
    if (way.isOpen) return all;
    const kept = all.filter(({ route }) => way.ranSince !== undefined && route.durable);
    return kept.map(({ route }) => ({ way, route: { ...route, waits: true as const } }));
  });
  const kind = kindOf(key);
  const suppresses = (way: Way) => (kind === "queue" ? way.suppressDuplicateQueueSubscriptions : way.suppressDuplicateTopicSubscriptions);
  /** A topic message crosses once for all consumers of a broker; those of a queue share by priority. */
  const whose = ({ origin, group }: Route) => (kind === "topic" ? origin : `${origin} ${group}`);
  const best = new Map<string, Way>();
  const waits = ({ route }: (typeof routes)[number]) => Number(route.waits ?? false);
  const inTurn = routes.toSorted((a, b) => waits(a) - waits(b) || byHops(a.route, b.route) || (a.way.link < b.way.link ? -1 : 1));
  for (const { way, route } of inTurn) if (!best.has(whose(route))) best.set(whose(route), way);
  const isSilent = (way: Way) => !way.isOpen && !way.isStopped;
  const isBest = ({ way, route }: (typeof routes)[number]) => best.get(whose(route)) === way;
  /** The best way brings it, too: it needn't know all of a topic's consumers. */
  const isBrought = (route: Route): boolean => {
    const brought = routes.filter((one) => isBest(one) && whose(one.route) === whose(route)).map((one) => one.route);
    return brought.some(({ group }) => group === route.group) || cover(brought, route);
  };
  const kept = routes.filter((one) => isSilent(one.way) || !suppresses(one.way) || isBest(one) || !isBrought(one.route));
  const byWay = Map.groupBy(kept, ({ way }) => way);
  return new Map(
    [...byWay].map(([way, those]) => [
      way,
      folded(
        way,
        kind,
        those.map(({ route }) => route),
      ),
    ]),
  );
};

/** Hops of demand, and loops (spec DEM-1, TTL-1); TTL 0 lets direct consumers be heard (TTL-4). */
const reaches = ({ origin, path }: Route, { from, consumerTTL }: Way): boolean =>
  origin !== from && !path.includes(from) && (consumerTTL < 0 || path.length < consumerTTL || (consumerTTL === 0 && path.length === 0));

/** A link opens durable subscriptions that had a client since it first ran, or all of them (spec DUR-6, DUR-11). */
const isSeen = ({ offlineSince }: Route, { ranSince = Number.POSITIVE_INFINITY, syncDurableSubs, dynamicOnly }: Way): boolean =>
  offlineSince === undefined || offlineSince >= ranSince || (syncDurableSubs === true && !dynamicOnly);

/** Spec QUE-6, QUE-7. */
const seenOver = (way: Way, route: Route): Route => {
  const path = [...route.path, way.to];
  const decreased = path.length === 1 ? way.consumerPriorityBase : way.consumerPriorityBase - (path.length + 1);
  return { ...route, path, priority: way.decreaseNetworkConsumerPriority ? decreased : route.priority };
};

/** Of two routes to the same consumers. */
const byHops = (a: Route, b: Route): number => a.path.length - b.path.length || b.priority - a.priority;
const byPriority = (a: Route, b: Route): number => b.priority - a.priority || a.path.length - b.path.length;
/** Highest priority, then fewest hops; whatever else differs, the same every time. */
const byRank = (a: Route, b: Route): number => byPriority(a, b) || (inFull(a) < inFull(b) ? -1 : inFull(a) > inFull(b) ? 1 : 0);
const inFull = ({ path, group }: Route): string => `${path.join()}|${group}`;

/**
 * A conduit counts as one, whoever stands behind it (spec CND-1, CND-2, CND-6), and wants what any of them wants, or everything where it
 * ignores selectors as the original does (CND-5).
 */
const folded = (way: Way, kind: "queue" | "topic", all: readonly Route[]): readonly Route[] => {
  const ignoresSelectors = way.conduitSubscriptions && way.conduitSelectors === "ignore";
  const routes = ignoresSelectors ? all.map((route) => choosing(route, {})) : all;
  const folds = ({ path }: Route) =>
    way.conduitSubscriptions && (kind === "topic" || path.length === 1 || way.conduitNetworkQueueSubscriptions);
  const [first, ...others] = routes.filter(folds).toSorted(byRank);
  return [
    ...(first ? [{ ...choosing(first, unionOf([first, ...others])), count: 1 }] : []),
    ...others.map((route) => ({ ...route, count: 0 })),
    ...routes.filter((one) => !folds(one)),
  ];
};

const choosing = ({ selectors: _, ...route }: Route, those: Pick<Route, "selectors">): Route => ({ ...route, ...those });

/** A candidate of routing: what it is, how it ranks, and how many stand behind it. */
export interface Candidate {
  readonly to: "consumers" | "private" | Way["link"];
  readonly priority: number;
  readonly weight: number;
  /** It wants what any of these takes; absent: everything. */
  readonly selectors?: readonly string[];
  /** Of a way: static includes alone ask for it. */
  readonly isStatic?: true;
}

/** Who may get messages of a destination at a broker, on account of these names and patterns: consumers there, and ways. */
export const candidatesAt = (
  picture: Picture,
  told: Told,
  keys: readonly string[],
  at: string,
  destination: string,
): readonly Candidate[] => {
  const matching = keys.filter((key) => means(key, destination));
  const here = picture.consumers.filter((one) => one.at === at && matching.includes(one.key));
  const shared = Map.groupBy(
    here.filter(({ isPrivate }) => !isPrivate),
    ({ priority }) => priority,
  );
  const served = serveAll(picture, told, matching, at, destination);
  return [
    ...[...shared].map(([priority, those]) => ({ to: "consumers", priority, weight: those.length }) as const),
    ...here
      .filter(({ isPrivate }) => isPrivate)
      .map(
        ({ priority, selector }) =>
          ({ to: "private", priority, weight: 1, ...(selector !== undefined && { selectors: [selector] }) }) as const,
      ),
    ...[...served].flatMap(([{ link }, routes]) => {
      const isStatic = routes.every(({ group }) => group === "static");
      return weights(routes).map((one) => ({ to: link, ...one, ...(isStatic && { isStatic }) }));
    }),
  ];
};

const serveAll = (picture: Picture, told: Told, matching: readonly string[], at: string, destination: string): Served =>
  serve(picture, at, destination, {
    heard: (way) => matching.filter((key) => listens(way, key) && permits(way, key)).flatMap((key) => told(way.to, key)),
    isAlways: (way) => includesAlways(way, destination) && way.staticallyIncludedDestinations.some((key) => matching.includes(key)),
    mayHear: () => true,
  });

type Share = Pick<Candidate, "priority" | "weight" | "selectors">;

/** By priority and selectors; for those who don't count, and want what nobody who counts wants, one stands. */
const weights = (routes: readonly Route[]): readonly Share[] => {
  const counted = routes.filter(({ count }) => count > 0);
  const alike = Map.groupBy(counted, ({ priority, selectors = ["everything"] }) => [priority, ...selectors].join(" "));
  const shares = [...alike.values()].map((those): Share => {
    const weight = those.reduce((sum, { count }) => sum + count, 0);
    return { priority: those[0]?.priority ?? 0, weight, ...unionOf(those) };
  });
  const left = routes.filter((route) => route.count === 0 && !cover(counted, route));
  const highest = Math.max(...left.map(({ priority }) => priority));
  return left.length > 0 ? [...shares, { priority: highest, weight: 1, ...unionOf(left) }] : shares;
};

/** Routes as one text, whatever their order. */
export const inWords = (routes: readonly Route[]): string =>
  routes
    .map(
      ({ origin, group, path, priority, count, selectors, durable, waits }) =>
        `${count} of ${origin} (${durable ? "kept, " : ""}${waits ? "waits, " : ""}${group})${path.length > 0 ? ` by ${path.join(" ")}` : ""} at ${priority}${choice(selectors)}`,
    )
    .toSorted()
    .join(", ");

/** Which messages, in words. */
export const choice = (selectors: readonly string[] | undefined): string =>
  selectors ? ` where ${selectors.toSorted().join(" or ")}` : "";

const sameRoutes = (a: readonly Route[], b: readonly Route[]): boolean => inWords(a) === inWords(b);
