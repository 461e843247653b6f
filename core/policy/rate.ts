/** How much may happen within a time. */
export interface Rate {
  readonly limit: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** What somebody got of a rate's window. */
export interface Taken {
  readonly taken: number;
  readonly left: number;
  /** When the window is over (clock). */
  readonly until: number;
  /** This window took no more, or the last one did: others may wait for the next. */
  readonly usedUp: boolean;
}
