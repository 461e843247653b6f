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
}
