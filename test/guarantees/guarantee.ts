import type { Moment } from "./moments.ts";
import type { Scene } from "./scenes.ts";
import type { WindowName } from "./windows.ts";

/** What may befall a message on a path, and what its consumers see of it then. A test plays each row. */
export interface Row {
  readonly when: Moment;
  /** How often a consumer gets it (of dead letters: how often it stands there). 0: it is lost. */
  readonly delivered: number;
  /** How often a consumer's handler runs that `once` guards; where that isn't once. */
  readonly behindOnce?: number;
  /** Why it isn't once. */
  readonly window?: WindowName;
  /** What brings it there, or drops the second copy. */
  readonly closedBy: string;
}

/** One way of a message in one mode. */
export interface Path {
  readonly path: string;
  readonly mode: string;
  readonly scene: Scene;
  /** The longest outage after which what the rows say is still exact. */
  readonly exactFor: string;
  readonly rows: readonly Row[];
}

/** What a played row came to. */
export interface Played {
  /** Whether what the row is about has happened at all. */
  readonly struck: boolean;
  readonly delivered: number;
  readonly behindOnce: number;
  /** Bodies that still stand somewhere. */
  readonly left: readonly string[];
}
