import { destinationOf } from "../../core/destination/destination.ts";
import { compileFilter } from "../../core/destination/filter.ts";
import { alternativesOf } from "./counts.ts";
import type { Subscription } from "./network-subscriptions.ts";
import { ourId } from "./play.ts";
import type { RecordedSubscription, Varying } from "./recording.ts";

/** A network subscription that only one side has. */
export interface Unmatched {
  readonly dest: string;
  readonly priorities: readonly number[];
  readonly what: string;
  /**
   * Ours has just that demand too, but shows another of the consumers that one link folds: by another path over the same neighbour, or under a
   * pattern that covers it. Its priority is the same.
   */
  readonly isFolded: boolean;
  /** Theirs alone has it. */
  readonly isMissing: boolean;
  /** Ours alone has it, over more than one hop. */
  readonly isFurther: boolean;
}

interface Told {
  readonly dest: string;
  readonly priorities: readonly number[];
  readonly paths: readonly string[];
}

/** By destination and priority: every recorded path is one of ours, and every one of ours is recorded. The nearest of several recordings counts. */
export const unmatchedSubscriptions = (
  recorded: Varying<readonly RecordedSubscription[]>,
  ours: readonly Subscription[],
): readonly Unmatched[] => {
  const [nearest = []] = alternativesOf(recorded)
    .map((list) => unmatched((list ?? []).map(toldOf), ours))
    .toSorted((a, b) => a.length - b.length);
  return nearest;
};

const unmatched = (theirs: readonly Told[], ours: readonly Subscription[]): Unmatched[] => {
  const own = ours.map(({ dest, priority, path, folded }): Told & { readonly folded: boolean } => ({
    dest,
    priorities: [priority],
    paths: [path.join(">")],
    folded,
  }));
  const shown = own.filter(({ folded }) => !folded);
  const missing = theirs.filter((one) => !shown.some((other) => isSame(one, other)));
  const extra = shown.filter((one) => !theirs.some((other) => isSame(one, other)));
  return [
    ...missing.map((one) => ({
      ...said(one, "missing"),
      isMissing: true,
      isFurther: false,
      isFolded: own.some((other) => isSame(one, other)),
    })),
    ...extra.map((one) => ({
      ...said(one, "not recorded"),
      isMissing: false,
      isFurther: one.paths.every((path) => path.includes(">")),
      isFolded: theirs.some(
        (other) =>
          share(one.priorities, other.priorities) &&
          share(one.paths.map(neighbour), other.paths.map(neighbour)) &&
          (other.dest === one.dest ? own.some((mine) => isSame(other, mine)) : covers(other.dest, one.dest)),
      ),
    })),
  ];
};

const toldOf = ({ dest, priority, brokerPath }: RecordedSubscription): Told => ({
  dest,
  priorities: alternativesOf(priority).map(Number),
  paths: alternativesOf(brokerPath).map((path) => (path ?? []).map(ourId).join(">")),
});

const isSame = (a: Told, b: Told): boolean => a.dest === b.dest && share(a.priorities, b.priorities) && share(a.paths, b.paths);
const share = <T>(a: readonly T[], b: readonly T[]): boolean => a.some((one) => b.includes(one));
const neighbour = (path: string): string => path.slice(path.lastIndexOf(">") + 1);
const covers = (pattern: string, text: string): boolean => compileFilter(destinationOf(pattern))(destinationOf(text));

const said = ({ dest, priorities, paths }: Told, how: string) => ({
  dest,
  priorities,
  what: `subscription on ${dest} @${priorities.join("|")} by ${paths.join(" or ")}: ${how}`,
});
