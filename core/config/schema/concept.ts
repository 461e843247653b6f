/** Why a key that people may know from elsewhere is refused: never silently ignored. */
export type Absence = "activemq-has-it" | "planned" | "meaningless-on-aws";

/** One kind of object in the configuration: what it is called, its keys, and the keys it is asked for in vain. */
export interface Concept {
  readonly called: string;
  readonly keys: readonly string[];
  readonly absent: Readonly<Partial<Record<Absence, readonly string[]>>>;
  /** What the manual calls otherwise, or writes elsewhere: a sentence that says what to write here. */
  readonly instead?: Readonly<Record<string, string>>;
}

export const absenceOf = ({ absent }: Concept, key: string): Absence | undefined =>
  (Object.keys(absent) as Absence[]).find((reason) => absent[reason]?.includes(key));
