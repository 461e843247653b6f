import type { CallCounts } from "./calls/count-calls.ts";
import { brokers, type ControlCalls } from "./control/count-control.ts";
import type { DoorCpu } from "./cpu/measure-cpu.ts";
import { limits, originals, rivals } from "./limits.ts";
import type { Outage } from "./outage/measure-outage.ts";
import type { Rate } from "./rates/measure-rates.ts";
import type { Findings } from "./run.ts";
import type { Throughput } from "./throughput/measure-throughput.ts";

/** The findings for a reader: one Markdown table for each part. */
export const report = ({ machine, selectors, names, calls, control, cpu, throughput, outage, bundles }: Findings): string =>
  [
    `${machine.cores} cores, Node ${machine.node}, ${machine.platform}`,
    (selectors || names) && ratesReport({ selectors, names }),
    calls && callsReport(calls),
    control && controlReport(control),
    cpu && cpuReport(cpu),
    throughput && throughputReport(throughput),
    outage && outageReport(outage),
    bundles &&
      table([
        ["handler", "KB minified", "ms to load"],
        ...bundles.map(({ handler, bytes, loadMs }) => [handler, (bytes / 1_000).toFixed(0), loadMs.toFixed(0)]),
      ]),
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");

const ratesReport = (measured: { readonly [Part in keyof typeof rivals]: Rate | undefined }): string => {
  const parts = Object.entries(rivals) as [keyof typeof rivals, (typeof rivals)[keyof typeof rivals]][];
  const millions = (perSecond: number): string => `${(perSecond / 1e6).toPrecision(2)} million`;
  const rows = parts.flatMap(([part, others]) => {
    const { what, perSecond } = measured[part] ?? {};
    if (what === undefined || perSecond === undefined) return [];
    return [[what, millions(perSecond), others.map((other) => `${other.who} ${millions(other.perSecond)}`).join(", ")]];
  });
  return table([["in a second of CPU", "SpanMQ", "measured on a machine like this, not here"], ...rows]);
};

const callsReport = ({ batch, bodyBytes, paths }: CallCounts): string => {
  const rows = paths.map(({ path, from, to, callsPerMessage: { sqs, sns, dynamodb, lambda, sum }, bytesPerMessage, dollarsPerMillion }) => [
    path,
    `${from} → ${to}`,
    ...[sqs, sns, dynamodb, lambda, sum].map((calls) => calls.toFixed(3)),
    bytesPerMessage.toFixed(0),
    dollarsPerMillion.toFixed(2),
  ]);
  const head = ["calls of a message", "way", "SQS", "SNS", "DynamoDB", "Lambda", "sum", "bytes sent", "$ a million"];
  return `${table([head, ...rows])}\n\n${limitsReport(paths)}\n\nBodies of ${bodyBytes} bytes in batches of ${batch}. The event source's receive and delete count; left out are the producer's and the consumer's calls, polls that found nothing, and the reads of cached views (at most one a second for each view and instance).`;
};

const limitsReport = (paths: CallCounts["paths"]): string =>
  table([
    ["limits", "SQS", "at most", "DynamoDB writes", "at most", "reads of the audit", "of views, in all"],
    ...paths.flatMap(({ path, callsPerMessage: { sqs }, writesPerMessage, auditReads, atMost, leftOut }) => {
      if (!atMost) return [];
      const figures = [sqs, atMost.sqs, writesPerMessage, atMost.writes].map((calls) => calls.toFixed(3));
      return [[path, ...figures, String(auditReads), String(leftOut.viewReads)]];
    }),
  ]);

const controlReport = (counted: readonly ControlCalls[]): string => {
  const rows = counted.map(({ what, destinations, callsPerDestination: { sqs, sns, dynamodb, lambda, sum } }) => [
    what,
    String(destinations),
    ...[sqs, sns, dynamodb, lambda, sum].map((calls) => calls.toFixed(2)),
  ]);
  const head = ["calls of control for a destination", `of so many at ${brokers} brokers`, "SQS", "SNS", "DynamoDB", "Lambda", "sum"];
  return `${table([head, ...rows])}\n\nDemanded: of ${limits.manyDestinations} no more than of ${limits.fewDestinations}. All brokers' control together, in a mesh; the event source's receive and delete count, a query counts by the megabyte.`;
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
  const rows = measured.map(({ way, mode, hops, perSecond, bareLoopPerSecond, ratio, ratios, cpuRatio }) => [
    `${way}, ${mode}`,
    String(hops),
    ...[perSecond, bareLoopPerSecond].map((speed) => speed.toFixed(0)),
    ...[ratio, Math.min(...ratios), Math.max(...ratios), cpuRatio].map((one) => one.toFixed(2)),
  ]);
  const head = `${messages} messages, median of ${rounds} rounds`;
  const beside = originals.map(({ what, perSecond }) => `${what} ${perSecond} messages a second`);
  return [
    table([[head, "hops", "messages a second", "bare loop", "ratio", "lowest", "highest", "of CPU"], ...rows]),
    `Demanded: a ratio of ${limits.throughputRatio}. For comparison, measured on two cores like these, not here: ${beside.join("; ")}.`,
  ].join("\n\n");
};

const outageReport = ({ healthyQueue, catchUp }: Outage): string =>
  table([
    ["a peer that hangs", "undisturbed", "disturbed", "ratio", "at most"],
    [
      `p50 of a local queue's ${healthyQueue.messages} messages, median of ${healthyQueue.rounds} rounds`,
      ...[healthyQueue.undisturbedMs, healthyQueue.hangingMs].map((ms) => `${ms.toFixed(1)} ms`),
      healthyQueue.ratio.toFixed(2),
      limits.healthyQueueRatio.toFixed(2),
    ],
    [
      `${catchUp.messages} messages sent meanwhile, from the breaker's closing until all have arrived`,
      "",
      `${catchUp.seconds.toFixed(1)} s`,
      "",
      `${limits.catchUpSeconds} s`,
    ],
  ]);

const table = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const [head = "", ...rows] = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows].join("\n");
};
