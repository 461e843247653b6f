import {
  type BridgePath,
  bridgeCells,
  type Cell,
  embeddedCells,
  isOrdered,
  modeOf,
  type NetworkPath,
  networkCells,
  orderedCells,
} from "./cells.ts";
import { gatewayFaults } from "./embedded/gateway-faults.ts";
import { moods } from "./embedded/peer-moods.ts";
import { row } from "./fates.ts";

/** So many runs meet every fault at every port on every path where it can strike. */
export const enoughRuns = 5_000;

const pathOf = (cell: Cell): string => cell.slice(0, cell.indexOf("."));
const among = (...paths: readonly (NetworkPath | BridgePath)[]) =>
  [...networkCells, ...orderedCells].filter((cell) => (paths as readonly string[]).includes(pathOf(cell)));
const inMode = (cells: readonly Cell[], ...modes: readonly string[]) => cells.filter((cell) => modes.includes(modeOf(cell)));

const all = [...networkCells, ...orderedCells];
/**
 * SQS gives no copy of a FIFO queue twice. What it gives up on leaves its place in its group, and those behind it go on: whoever moves that
 * back puts it out of order by doing so, which no broker could mend.
 */
const unordered = networkCells;
const audited = inMode(all, "audited");
/** What rests and is drained. */
const queues = among("queue", "direct", "composite", "once", "fifo-queue", "fifo-direct");
/** Of direct sends hardly one is counted: it must come to rest at a second broker. */
const counted = among("queue", "composite", "once", "fifo-queue", "fifo-topic");
/** Crosses by dispatch: a standard topic's copies cross by SNS. */
const handed = among("queue", "direct", "composite", "once", "fifo-queue", "fifo-direct", "fifo-topic");
const topics = among("topic", "fifo-topic");
/** Handed over to several subscribers at once. */
const fannedOut = inMode(among("topic"), "audited");
/** Direct sends have a declared queue. */
const made = among("queue", "topic", "composite", "once", "fifo-topic");
const bridges = bridgeCells;
const waiting = inMode(bridges, "ONCE_AND_ONLY_ONCE", "DUPLICATES_OK");
const claiming = inMode(bridges, "ONCE_AND_ONLY_ONCE", "AT_MOST_ONCE");
const once = inMode(bridges, "ONCE_AND_ONLY_ONCE");
const atMostOnce = inMode(bridges, "AT_MOST_ONCE");

/** Fault, ports, and the cells that must have met it there. */
const faults: readonly (readonly [fault: string, ports: readonly string[], cells: readonly Cell[]])[] = [
  ["crash", ["hand-over", "event"], all],
  ["crash", ["claim", "take-over", "settle", "release"], audited],
  ["crash", ["receive", "remove", "give back"], queues],
  ["crash", ["counter"], counted],
  ["crash", ["table", "control's event", "probe"], all],
  ["crash", ["control's counter", "order of a pass"], queues],
  ["crash", ["make"], made],
  ["crash", ["subscribe", "unsubscribe", "unmake"], topics],
  ["throttling", ["hand-over", "table", "control's event", "probe"], all],
  ["throttling", ["claim"], audited],
  ["throttling", ["event"], all],
  ["throttling", ["receive", "give back"], queues],
  ["throttling", ["counter"], counted],
  ["throttling", ["control's counter", "order of a pass"], queues],
  ["throttling", ["make"], made],
  ["throttling", ["subscribe", "unsubscribe", "unmake"], topics],
  ["slow invocation", ["table", "control's event", "probe"], all],
  ["slow invocation", ["control's counter", "order of a pass"], queues],
  ["slow invocation", ["make"], made],
  ["slow invocation", ["subscribe", "unsubscribe", "unmake"], topics],
  ["lost answer", ["hand-over", "producer's send"], all],
  ["lost answer", ["claim", "settle", "take-over"], audited],
  ["no answer, not accepted", ["hand-over"], all],
  ["fails for good", ["settle", "release"], audited],
  ["crash", ["progress"], fannedOut],
  ["fails for good", ["progress"], fannedOut],
  ["partial failure", ["hand-over"], all],
  ["partial failure", ["remove"], queues],
  ["peer refuses", ["hand-over"], handed],
  ["peer hangs", ["hand-over"], handed],
  ["peer accepts and says nothing", ["hand-over"], handed],
  ["peer refuses", ["delivery by SNS"], among("topic")],
  ["peer hangs", ["delivery by SNS"], among("topic")],
  ["peer accepts and says nothing", ["delivery by SNS"], among("topic")],
  ["two live handlers", ["batch"], all],
  ["clock jumps", ["batch", "control"], all],
  ["clock jumps", ["pass"], queues],
  ["doubled copy", ["door", "consumer"], unordered],
  ["doubled copy", ["pass"], unordered.filter((cell) => queues.includes(cell))],
  ["visibility runs out", ["door", "consumer"], all],
  ["visibility runs out", ["pass"], queues],
  ["redelivery after delete", ["door", "consumer"], all],
  ["re-split batch", ["door"], all],
  ["re-split batch", ["pass"], queues],
  ["given up by SQS", ["batch"], unordered],
  ["moved back by a plain task", ["dead letters"], unordered],
  ["restored table", ["table"], all],
  ["removed connector", ["deployment"], all],
  ["removed queue", ["deployment"], among("direct")],
  ["native subscriber", ["topic"], topics],

  ["crash", ["hand-over", "claim", "release", "look at the target", "receive", "order", "switch"], bridges],
  ["crash", ["settle"], claiming],
  ["crash", ["take-over"], once],
  ["lost answer", ["take-over"], once],
  ["crash", ["remove"], atMostOnce],
  ["crash", ["remove parked", "give back"], waiting],
  ["lost answer", ["hand-over", "claim", "release"], bridges],
  ["lost answer", ["parking"], waiting],
  ["lost answer", ["settle"], claiming],
  ["lost answer", ["remove"], atMostOnce],
  ["fails for good", ["settle"], claiming],
  ["fails for good", ["release"], bridges],
  ["partial failure", ["hand-over"], bridges],
  ["throttling", ["hand-over", "claim", "receive", "order", "switch"], bridges],
  ["throttling", ["remove parked", "give back"], waiting],
  ["throttling", ["remove"], atMostOnce],
  ["topic as target", ["hand-over"], bridges],
  ["ingress as target", ["hand-over"], bridges],
  ["target refuses", ["hand-over"], bridges],
  ["target hangs", ["hand-over"], bridges],
  ["target deaf", ["hand-over"], bridges],
  ["two live handlers", ["batch"], bridges],
  ["clock jumps", ["batch"], bridges],
  ["doubled copy", ["door"], bridges],
  ["visibility runs out", ["door"], bridges],
  ["redelivery after delete", ["door"], bridges],
  ["re-split batch", ["door"], bridges],
  ["moved back by a plain task", ["dead letters"], bridges],
];

/** A topic's copies cross by SNS; what the bridge brings, or stands in a group, often meets an open breaker instead. */
const embeddedHanded = embeddedCells.filter((cell) => !/^embedded-(topic|bridge|fifo)/.test(cell));
/** SQS gives no copy of a FIFO queue twice, and keeps its order. */
const sparesOrder: readonly string[] = ["doubles", "two-handlers", "reorder"];
const embeddedUnordered = embeddedCells.filter((cell) => !isOrdered(cell));
const embeddedFaults: typeof faults = [
  ...gatewayFaults.map((fault) => [fault, ["gateway"], sparesOrder.includes(fault) ? embeddedUnordered : embeddedCells] as const),
  ["crash", ["invocation"], embeddedCells],
  ["visibility runs out", ["invocation"], embeddedCells],
  ["given up by SQS", ["batch"], embeddedUnordered],
  ["moved back by a plain task", ["dead letters"], embeddedUnordered],
  ...moods.map((mood) => [`peer ${mood}`, ["hand-over"], embeddedHanded] as const),
];
const rowsOf = (table: typeof faults): readonly string[] =>
  table.flatMap(([fault, ports, cells]) => ports.flatMap((port) => cells.map((cell) => row(fault, port, cell))));

/** So many embedded histories meet each of their faults on every path where it can strike. */
export const enoughEmbedded = 20;
export const expectedEmbedded = rowsOf(embeddedFaults);

export const expectedRows = rowsOf(faults);
