import { describe, expect, test } from "vitest";
import type { PathCalls } from "../../bench/calls/count-calls.ts";
import type { ControlCalls } from "../../bench/control/count-control.ts";
import { missedLimits } from "../../bench/missed.ts";
import type { Findings } from "../../bench/run.ts";
import type { Throughput } from "../../bench/throughput/measure-throughput.ts";

const machine = { cores: 2, node: "v24.0.0", platform: "linux x64" };

const hop = ({ sqs = 0.31, writes = 2, auditReads = 0, atMost = { sqs: 0.31, writes: 2 } } = {}): Findings => {
  const none = { sns: 0, dynamodb: 0, lambda: 0, sum: 0 };
  const path: PathCalls = {
    ...{ path: "queue hop", from: "ingress", to: "queue", messages: 10, callsPerMessage: { sqs, ...none }, writesPerMessage: writes },
    ...{ auditReads, atMost, bytesPerMessage: 0, dollarsPerMillion: 0, leftOut: { emptyPolls: 0, viewReads: 0 } },
    clientSend: { callsPerMessage: 0, bytesPerMessage: 0 },
  };
  return { machine, calls: { batch: 10, bodyBytes: 246, paths: [path] } };
};
const link = (ratio: number): Findings => {
  const speed = { messages: 10, rounds: 1, perSecond: 1, bareLoopPerSecond: 1, ratio, ratios: [ratio], cpuRatio: 1 };
  const throughput: Throughput = { way: "link", mode: "audited", hops: 2, ...speed };
  return { machine, throughput: [throughput] };
};
const hanging = (ratio: number, seconds: number): Findings => ({
  machine,
  outage: {
    healthyQueue: { messages: 250, rounds: 3, undisturbedMs: 1, hangingMs: 1, ratio, ratios: [ratio] },
    catchUp: { messages: 1_000, seconds },
  },
});
const upkeep = (few: number, many: number): Findings => {
  const counted = (destinations: number, sum: number): ControlCalls => ({
    ...{ what: "upkeep", destinations, callsPerDestination: { sqs: 0, sns: 0, dynamodb: 0, lambda: 0, sum } },
  });
  return { machine, control: [counted(20, few), counted(2_000, many)] };
};

describe("a figure that misses its limit is named with both:", () => {
  test.for([
    { rule: "none at the limits", findings: hop(), says: [] },
    { rule: "none a rounding error beyond", findings: hop({ sqs: 0.1 + 0.2 + 0.01 + 1e-12 }), says: [] },
    {
      rule: "calls of SQS",
      findings: hop({ sqs: 0.32 }),
      says: ["queue hop: SQS calls of a message: 0.32, demanded is at most 0.31"],
    },
    {
      rule: "writes and reads of the audit",
      findings: hop({ writes: 3, auditReads: 1 }),
      says: [
        "queue hop: DynamoDB writes of a message: 3, demanded is at most 2",
        "queue hop: reads of the audit: 1, demanded is at most 0",
      ],
    },
    { rule: "no throughput at the limit", findings: link(0.85), says: [] },
    {
      rule: "throughput",
      findings: link(0.849),
      says: ["link, audited: messages a second, as a share of the bare loop's: 0.849, demanded is at least 0.85"],
    },
    { rule: "no latency and no catching up at the limit", findings: hanging(1.2, 10), says: [] },
    {
      rule: "latency and catching up",
      findings: hanging(1.21, 10.5),
      says: [
        "p50 of a local queue while a peer hangs : undisturbed: 1.21, demanded is at most 1.2",
        "seconds until 1000 messages sent meanwhile have arrived: 10.5, demanded is at most 10",
      ],
    },
    { rule: "no control that costs the same", findings: upkeep(8, 8), says: [] },
    {
      rule: "control that grows with the destinations",
      findings: upkeep(8, 9),
      says: ["upkeep: calls of control for each of 2000 destinations: 9, demanded is at most 8"],
    },
    { rule: "none of a part that wasn't measured", findings: { machine }, says: [] },
  ])("$rule", ({ findings, says }) => {
    expect(missedLimits(findings)).toEqual(says);
  });
});
