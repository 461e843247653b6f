import { type BackedUpBrain, memoryBrain, type OpenBrain } from "../memory/brain.ts";

/** A brain's rows, and how many bytes each has. */
export const rowsOf = (brain: BackedUpBrain): ReadonlyMap<string, number> =>
  new Map(
    brain
      .contents()
      .partitions.flatMap(([partition, rows]) =>
        rows.map(({ id, value }) => [`${partition.replace("#", " ")} ${id}`, JSON.stringify(value).length] as const),
      ),
  );

/** A table that can be deleted: the next one of its name is empty, and another. */
export const renewableBrain = (
  name: string,
): OpenBrain & { readonly rows: () => ReadonlyMap<string, number>; renew(): void; backUp(): () => void } => {
  let lives = 1;
  let brain = memoryBrain(`${name}-${lives}`);
  return {
    read: (...asked) => brain.read(...asked),
    list: (...asked) => brain.list(...asked),
    write: (...asked) => brain.write(...asked),
    add: (...asked) => brain.add(...asked),
    take: (...asked) => brain.take(...asked),
    tableId: () => brain.tableId(),
    all: (kind) => brain.all(kind),
    rows: () => rowsOf(brain),
    renew: () => {
      brain = memoryBrain(`${name}-${++lives}`);
    },
    backUp: () => {
      const contents = brain.contents();
      return () => {
        brain = memoryBrain(`${name}-${++lives}`, contents);
      };
    },
  };
};
