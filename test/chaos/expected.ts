import { type Cell, networkCells } from "./cells.ts";
import { row } from "./fates.ts";

interface Fault {
  readonly fault: string;
  readonly ports: readonly string[];
  readonly cells: readonly Cell[];
}

const queues = networkCells.filter((cell) => !cell.startsWith("topic."));
/** So many runs meet each of them. */
export const enoughRuns = 2_000;

/** Every fault, the port it strikes at, and the cells that must have met it. */
const faults: readonly Fault[] = [
  { fault: "crash", ports: ["hand-over", "claim"], cells: networkCells },
  { fault: "crash", ports: ["counter", "receive", "remove", "give back"], cells: queues },
];

export const expectedRows: readonly string[] = faults.flatMap(({ fault, ports, cells }) =>
  ports.flatMap((port) => cells.map((cell) => row(fault, port, cell))),
);
