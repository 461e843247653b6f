import type { MemoryBrain } from "../memory/brain.ts";

/** A brain that knows how many bytes each of its rows has. */
export const withRows = (brain: MemoryBrain): MemoryBrain & { readonly rows: ReadonlyMap<string, number> } => {
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
