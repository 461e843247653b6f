import type { Path, Row } from "./guarantee.ts";
import { told } from "./moments.ts";
import { windows } from "./windows.ts";

/** docs/guarantees.md, made of the table that the tests play. */
export const documentOf = (paths: readonly Path[]): string =>
  `${[intro, named, "## In short", summaryOf(paths), "## Row by row", rowByRow, ...paths.map(sectionOf)].join("\n\n")}\n`;

const intro = `# What is guaranteed, and when not

Made by \`npm run guarantees\` from [test/guarantees/table.ts](../test/guarantees/table.ts); \`npm test -- --project guarantees\` plays each row with the real use cases on simulated queues, topics and tables. What happens when, in words: [how-it-works.md](how-it-works.md).

No crash and no lost answer loses a message, but in an \`AT_MOST_ONCE\` bridge, whose word it is. Time can: SQS forgets after 14 days what isn't sent anew before, which is what waits in a door (ingress, an inbound, the feed), in a FIFO queue, in a topic subscriber's own queue, among the dead letters and in a bridge's \`undelivered\`.
Late is whatever comes again: after a handler's death six times the function's timeout (by a FIFO door four minutes at most), after an outage when it is over. *Exact for* says how long a copy may stay away: SQS keeps none for more than 14 days, and a claim is remembered for 15.
What can double does so in one of these windows only; each opens for one copy, so that a message of which two copies rest may go through a pass's window twice. \`moved-by-hand\` stands in no row: it takes a thousand deaths or a \`maxReceiveCount\` of the source's own, and somebody who moves the dead letters back. What SQS gives a new id then is a new message, to \`AT_MOST_ONCE\` and \`once\` too.
Clocks of functions may differ by five seconds without any consequence, and by two minutes without a loss: \`clocks-apart\` is all that follows, if one copy is in two hands just then. It stands in no row either; [chaos](../test/chaos/network/troubles.ts) draws both.`;

const named = table(["window", "what it is"], Object.entries(windows));

const summaryOf = (paths: readonly Path[]): string =>
  table(
    ["path", "mode", "lost", "doubled", "exact for"],
    paths.map(({ path, mode, rows, exactFor }) => [path, mode, inShort(rows, 0), doublesOf(rows), exactFor]),
  );

const rowByRow = `*Delivered*: how often a consumer gets the message, or how often it stands in the dead letters. *Behind \`once\`*: how often the handler of a consumer runs that [\`once\`](once.md) guards.`;

const sectionOf = ({ path, mode, exactFor, rows }: Path): string =>
  `### ${path}: ${mode}\n\nExact for: ${exactFor}.\n\n${table(
    ["when", "delivered", "behind `once`", "window", "what closes it"],
    rows.map(({ when, delivered, behindOnce = delivered, window = "", closedBy }) => [
      told(when).text,
      timesOf(delivered),
      timesOf(behindOnce),
      window,
      closedBy,
    ]),
  )}`;

const timesOf = (count: number): string => ["never", "once", "twice"][count] ?? `${count} times`;

const inShort = (rows: readonly Row[], delivered: number): string => (rows.some((row) => row.delivered === delivered) ? "yes" : "never");

const doublesOf = (rows: readonly Row[]): string => [...new Set(rows.flatMap(({ window = [] }) => window))].join(", ") || "never";

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
