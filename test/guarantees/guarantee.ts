import type { Call, Moment } from "./moments.ts";
import type { Scene } from "./scenes.ts";
import type { WindowName } from "./windows.ts";

/** What consumers see of a message that something befell. */
export interface Outcome {
  /** How often a consumer gets it (of dead letters: how often it stands there). 0: it is lost. */
  readonly delivered: number;
  /** How often a consumer's handler runs that `once` guards; where that isn't as often. */
  readonly behindOnce?: number;
  /** Why it isn't once. */
  readonly window?: WindowName;
  /** What brings it there, or drops the second copy. */
  readonly closedBy: string;
}
/** What comes of each moment of a path. A test plays each, and says which is missing, and which can't happen there. */
export type Outcomes = Partial<Readonly<Record<Moment, Outcome>>>;

/** One way of a message in one mode. */
export interface Path {
  readonly path: string;
  readonly mode: string;
  readonly scene: Scene;
  /** The longest outage after which what the rows say is still exact. */
  readonly exactFor: string;
  readonly rows: Outcomes;
}
export interface Row extends Outcome {
  readonly when: Moment;
}

/** What a played row came to. */
export interface Played {
  /** Whether what the row is about has happened at all. */
  readonly struck: boolean;
  /** Calls of its carrier. */
  readonly calls: readonly Call[];
  readonly delivered: number;
  readonly behindOnce: number;
  /** Bodies that still stand somewhere. */
  readonly left: readonly string[];
}
