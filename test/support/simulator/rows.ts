import { type MemoryBrain, memoryBrain } from "../memory/brain.ts";

/** A brain that knows how many bytes each of its rows has. */
export const withRows = <B extends MemoryBrain>(brain: B): B & { readonly rows: ReadonlyMap<string, number> } => {
  const rows = new Map<string, number>();
  return {
    ...brain,
    rows,
    write: async (kind, scope, id, value, judgedBy) => {
      const answer = await brain.write(kind, scope, id, value, judgedBy);
      const row = `${kind} ${scope} ${id}`;
      if (answer === "written" && value === undefined) rows.delete(row);
      else if (answer === "written") rows.set(row, JSON.stringify(value).length);
      return answer;
    },
  };
};

/** A table that can be deleted: the next one of its name is empty, and another. */
export const renewableBrain = (
  name: string,
): MemoryBrain & { readonly rows: () => ReadonlyMap<string, number>; renew(): void; backUp(): () => void } => {
  let lives = 1;
  let brain = withRows(memoryBrain(`${name}-${lives}`));
  return {
    read: (...asked) => brain.read(...asked),
    list: (...asked) => brain.list(...asked),
    write: (...asked) => brain.write(...asked),
    add: (...asked) => brain.add(...asked),
    tableId: () => brain.tableId(),
    rows: () => brain.rows,
    renew: () => {
      brain = withRows(memoryBrain(`${name}-${++lives}`));
    },
    backUp: () => {
      const contents = brain.contents();
      return () => {
        brain = withRows(memoryBrain(`${name}-${++lives}`, contents));
      };
    },
  };
};
