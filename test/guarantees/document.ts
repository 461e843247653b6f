import type { Path, Row } from "./guarantee.ts";
import { allMoments, type Moment, told } from "./moments.ts";
import { rowsOf } from "./table.ts";
import { traits } from "./traits.ts";
import { windows } from "./windows.ts";

/** docs/guarantees.md, made of the table that the tests play. */
export const documentOf = (paths: readonly Path[]): string =>
  `${[intro, named, "## In short", summaryOf(paths), "## Row by row", rowByRow, ...sectionsOf(paths), "## What can't happen", cannot, impossible].join("\n\n")}\n`;

const intro = `# What is guaranteed, and when not

Made by \`npm run guarantees\` from [test/guarantees/table.ts](../test/guarantees/table.ts) and its parts; \`npm test -- --project guarantees\` plays each row with the real use cases on simulated queues, topics and tables, and fails where a path lacks a row for something that can befall a message there. What happens when, in words: [how-it-works.md](how-it-works.md).

No crash and no lost answer loses a message, but in an \`AT_MOST_ONCE\` bridge, whose word it is. Time can: SQS forgets after 14 days what isn't sent anew before, which is what waits in a door (ingress, an inbound, the feed), in a FIFO queue, in the own queue of a topic subscriber that isn't durable, among the dead letters and in a bridge's \`undelivered\`.
Late is whatever comes again: after a handler's death six times the function's timeout (by a FIFO door four minutes at most), after an outage when it is over. *Exact for* says how long a copy may stay away: SQS keeps none for more than 14 days, and a claim is remembered for 15.
What can double does so in one of these windows only; each opens for one copy, so that a message of which two copies rest may go through a pass's window twice. \`moved-by-hand\` stands in no row: it takes a thousand deaths or a \`maxReceiveCount\` of the source's own, and somebody who moves the dead letters back. What SQS gives a new id then is a new message, to \`AT_MOST_ONCE\` and \`once\` too.
Clocks of functions may differ by five seconds without any consequence, and by two minutes without a loss: \`clocks-apart\` is all that follows, if one copy is in two hands just then. It stands in no row either; [chaos](../test/chaos/network/troubles.ts) draws both.`;

const named = table(["window", "what it is"], Object.entries(windows));

const summaryOf = (paths: readonly Path[]): string =>
  table(
    ["path", "mode", "lost", "doubled", "exact for"],
    paths.map((path) => [path.path, path.mode, lossesOf(rowsOf(path)), doublesOf(rowsOf(path)), path.exactFor]),
  );

const rowByRow = `*Delivered*: how often a consumer gets the message, or how often it stands in the dead letters. *Behind \`once\`*: how often the handler of a consumer runs that [\`once\`](once.md) guards. *It* is whoever carries the message: a handler, or a pass. *Audited*: as it is without \`enableAudit: false\`.`;

const cannot = "Where the reason is that nobody makes a call (a claim, a delete, a report), a test plays the path and finds it so.";

/** Paths that go alike share a table. */
const sectionsOf = (paths: readonly Path[]): readonly string[] =>
  [...Map.groupBy(paths, (path) => tableOf(path)).entries()].map(([rows, alike]) => {
    const names = alike.map(({ path, mode, exactFor }) => `### ${path}: ${mode}\n\nExact for: ${exactFor}.`);
    return `${names.join("\n\n")}\n\n${rows}`;
  });

/** What ends alike is one row. */
const tableOf = (path: Path): string => {
  const cellsOf = ({ delivered, behindOnce = delivered, window, closedBy }: Row) => [
    timesOf(delivered),
    timesOf(behindOnce),
    window ?? "",
    closedBy,
  ];
  const alike = Map.groupBy(rowsOf(path), (row) => JSON.stringify(cellsOf(row)));
  return table(
    ["when", "delivered", "behind `once`", "window", "what closes it"],
    [...alike].map(([cells, rows]) => [textsOf(rows.map(({ when }) => when)), ...(JSON.parse(cells) as string[])]),
  );
};
const textsOf = (some: readonly Moment[]): string => some.map((when) => told(when).text).join("; or ");

const impossible = table(
  ["no row says that", "where"],
  Object.entries(traits).map(([trait, why]) => [
    textsOf(allMoments.filter((when) => told(when).needs.some((need) => need === trait))),
    why,
  ]),
);

const timesOf = (count: number): string => ["never", "once", "twice"][count] ?? `${count} times`;

const lossesOf = (rows: readonly Row[]): string => {
  const losing = rows.filter(({ delivered }) => delivered === 0);
  if (losing.length === 0) return "never";
  return losing.every(({ when }) => told(when).days !== undefined) ? "to time" : "yes";
};

const doublesOf = (rows: readonly Row[]): string => [...new Set(rows.flatMap(({ window = [] }) => window))].join(", ") || "never";

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
