import type { CallCounts } from "./calls/count-calls.ts";
import type { DoorCpu } from "./cpu/measure-cpu.ts";
import type { Findings } from "./run.ts";
import type { Throughput } from "./throughput/measure-throughput.ts";

/** The findings for a reader: one Markdown table for each part. */
export const report = ({ machine, calls, cpu, throughput, bundles }: Findings): string =>
  [
    `${machine.cores} cores, Node ${machine.node}, ${machine.platform}`,
    calls && callsReport(calls),
    cpu && cpuReport(cpu),
    throughput && throughputReport(throughput),
    bundles &&
      table([
        ["handler", "KB minified", "ms to load"],
        ...bundles.map(({ handler, bytes, loadMs }) => [handler, (bytes / 1_000).toFixed(0), loadMs.toFixed(0)]),
      ]),
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");

const callsReport = ({ batch, bodyBytes, paths }: CallCounts): string => {
  const rows = paths.map(({ path, from, to, callsPerMessage: { sqs, sns, dynamodb, lambda, sum }, bytesPerMessage, dollarsPerMillion }) => [
    path,
    `${from} → ${to}`,
    ...[sqs, sns, dynamodb, lambda, sum].map((calls) => calls.toFixed(3)),
    bytesPerMessage.toFixed(0),
    dollarsPerMillion.toFixed(2),
  ]);
  const head = ["calls of a message", "way", "SQS", "SNS", "DynamoDB", "Lambda", "sum", "bytes sent", "$ a million"];
  return `${table([head, ...rows])}\n\nBodies of ${bodyBytes} bytes in batches of ${batch}. The event source's receive and delete count; left out are the producer's and the consumer's calls, polls that found nothing, and the reads of cached views (at most one a second for each view and instance).`;
};

const cpuReport = (cpu: readonly DoorCpu[]): string =>
  table([
    ["dispatch alone", "CPU ms for 1,000 messages", "without signatures"],
    ...[...Map.groupBy(cpu, ({ door }) => door)].map(([door, cases]) => [
      door,
      ...[true, false].map((signatures) => cases.find((one) => one.signatures === signatures)?.msPerThousand.toFixed(1) ?? ""),
    ]),
  ]);

const throughputReport = (measured: readonly Throughput[]): string => {
  const [{ messages, rounds } = { messages: 0, rounds: 0 }] = measured;
  return table([
    [`${messages} messages, median of ${rounds} rounds`, "hops", "messages a second", "bare loop", "ratio", "lowest", "highest"],
    ...measured.map(({ way, mode, hops, perSecond, bareLoopPerSecond, ratio, ratios }) => [
      `${way}, ${mode}`,
      String(hops),
      ...[perSecond, bareLoopPerSecond].map((speed) => speed.toFixed(0)),
      ...[ratio, Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2)),
    ]),
  ]);
};

const table = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const [head = "", ...rows] = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows].join("\n");
};
