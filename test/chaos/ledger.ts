import { type Cell, cellOf, isBehindOnce, modeOf } from "./cells.ts";
import type { Window } from "./windows.ts";

/** What became of the messages of one cell. */
export interface Tally {
  readonly sent: number;
  readonly delivered: number;
  readonly lost: readonly string[];
  /** Handed over more often than sent, and no window says why. */
  readonly doubled: readonly string[];
  /** Came, for the first time, after what was sent later in its group. */
  readonly outOfOrder: readonly string[];
  /** Left in a queue when all is quiet and well. */
  readonly stuck: readonly string[];
  /** Doubles through windows. */
  readonly excused: Readonly<Partial<Record<Window, number>>>;
}

interface Due {
  readonly body: string;
  readonly reader: string;
}

/** What was sent and what came, told by producers and consumers alone; windows by who injects faults. */
export interface Ledger {
  /** Each reader is to get it once for each time it was sent, those of a group in the order in which they were sent. */
  sent(body: string, readers: readonly string[], group?: string | undefined): void;
  received(reader: string, body: string): void;
  /** What is opened for a place is open for all readers that live there. */
  lives(reader: string, place: string): void;
  /** An audit of this reader's own drops what has come by the same id, whatever the cell waives. */
  audits(reader: string): void;
  /** These stand in no group's order any more. */
  unordered(bodies: readonly string[]): void;
  /** A fault opened a window for this message: this reader, or who lives in this place, may get it once more. @default - any of its readers */
  opened(window: Window, bodies: readonly string[], reader?: string): void;
  /** `left`: bodies of all that stands in a queue. */
  judge(left: readonly string[]): ReadonlyMap<Cell, Tally>;
}

/**
 * Behind `once` or an audit of the reader's own, and in AT_MOST_ONCE, only what is another message, with an id of its own, may come again.
 * A bridge that waives the audit waives all.
 */
const excusesFor = (cell: Cell, isAudited: boolean, doubles: number, opened: readonly Window[]): readonly Window[] => {
  if (isAudited || isBehindOnce(cell) || modeOf(cell) === "AT_MOST_ONCE") return opened.filter((window) => newIds.includes(window));
  return hasNoBound(cell) ? Array(doubles).fill("not-audited") : opened;
};
/** What a bridge hands over again nobody tells; a topic's copies come by SNS, by its retries, and round by other brokers beside. */
const hasNoBound = (cell: Cell): boolean => modeOf(cell) === "DUPLICATES_OK" || cell === "topic.unaudited";
const newIds: readonly Window[] = ["producer-sent-again", "moved-by-hand"];

export const ledger = (): Ledger => {
  const readersOf = new Map<string, readonly string[]>();
  const times = new Map<string, number>();
  /** Who came first stands first. */
  const came = new Map<string, number>();
  const places = new Map<string, string>();
  const audited = new Set<string>();
  const groups = new Map<string, string>();
  const opened = new Map<string, { readonly window: Window; readonly reader: string | undefined }[]>();
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  /** Copies beyond what was sent, and which of them windows excuse. */
  const beyond = (body: string, reader: string) => {
    const count = (came.get(`${reader} ${body}`) ?? 0) - (times.get(body) ?? 0);
    const doubles = Math.max(0, count);
    const names = [undefined, reader, places.get(reader)];
    const windows = (opened.get(body) ?? []).flatMap((one) => (names.includes(one.reader) ? [one.window] : []));
    const excuses = excusesFor(cellOf(body), audited.has(reader), doubles, windows);
    return { count: Math.max(0, doubles - excuses.length), excused: excuses.slice(0, doubles) };
  };

  const outOfOrder = (due: readonly Due[]): readonly string[] => {
    const turns = new Map([...came.keys()].map((key, turn) => [key, turn]));
    const arrived = due.filter(({ body, reader }) => groups.has(body) && came.has(`${reader} ${body}`));
    const sequences = Map.groupBy(arrived, ({ body, reader }) => `${reader} ${groups.get(body)}`);
    return [...sequences.values()].flatMap((sequence) => {
      let next = Number.POSITIVE_INFINITY;
      return sequence.toReversed().flatMap(({ body, reader }) => {
        const turn = turns.get(`${reader} ${body}`) ?? 0;
        const isOvertaken = turn > next;
        next = Math.min(next, turn);
        return isOvertaken ? [body] : [];
      });
    });
  };

  const tally = (bodies: readonly string[], left: readonly string[]): Tally => {
    const due = bodies.flatMap((body): Due[] => (readersOf.get(body) ?? []).map((reader) => ({ body, reader })));
    const missing = due.filter(({ body, reader }) => !came.has(`${reader} ${body}`));
    const doubles = due.map(({ body, reader }) => ({ body, ...beyond(body, reader) }));
    const excused: Partial<Record<Window, number>> = {};
    for (const window of doubles.flatMap((double) => double.excused)) excused[window] = (excused[window] ?? 0) + 1;
    return {
      sent: due.length,
      delivered: due.length - missing.length,
      lost: missing.map(({ body, reader }) => `${body} for ${reader}`),
      doubled: doubles.filter(({ count }) => count > 0).map(({ body }) => body),
      outOfOrder: outOfOrder(due),
      stuck: left,
      excused,
    };
  };

  return {
    sent: (body, readers, group) => {
      readersOf.set(body, readers);
      if (group !== undefined) groups.set(body, group);
      add(times, body);
    },
    received: (reader, body) => void add(came, `${reader} ${body}`),
    lives: (reader, place) => void places.set(reader, place),
    audits: (reader) => void audited.add(reader),
    unordered: (bodies) => {
      for (const body of bodies) groups.delete(body);
    },
    opened: (window, bodies, reader) => {
      for (const body of bodies) opened.set(body, [...(opened.get(body) ?? []), { window, reader }]);
    },
    judge: (left) => {
      const byCell = Map.groupBy(readersOf.keys(), cellOf);
      return new Map(
        [...byCell].map(([cell, bodies]) => [
          cell,
          tally(
            bodies,
            left.filter((body) => cellOf(body) === cell),
          ),
        ]),
      );
    },
  };
};
