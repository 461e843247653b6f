import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { PathCalls } from "../../bench/calls/count-calls.ts";
import type { Findings } from "../../bench/run.ts";
import { limits } from "../../scripts/bundles.ts";

const bench = (...args: string[]) => promisify(execFile)(process.execPath, ["bench/bench.entry.ts", ...args]);

describe("npm run bench -- --json", () => {
  let findings: Findings;
  const pathNamed = (name: string): PathCalls => {
    const found = findings.calls?.paths.find(({ path }) => path === name);
    if (!found) throw new Error(`no path ${name}`);
    return found;
  };
  beforeAll(async () => {
    const { stdout } = await bench(
      "--json",
      "--messages",
      "40",
      ...["selectors", "names", "calls", "cpu", "throughput", "bundles"].flatMap((part) => ["--only", part]),
    );
    findings = JSON.parse(stdout);
  }, 240_000);

  test("prints one document that has every part that was asked for, each figure a number", () => {
    const figure = expect.any(Number);
    expect(findings).toEqual({
      machine: { cores: figure, node: process.version, platform: expect.any(String) },
      selectors: { what: expect.any(String), perSecond: figure },
      names: { what: expect.any(String), perSecond: figure },
      calls: { batch: 10, bodyBytes: figure, paths: expect.any(Array) },
      cpu: ["ingress", "inbound"].flatMap((door) => [true, false].map((signatures) => ({ door, signatures, msPerThousand: figure }))),
      throughput: ["link, audited", "link, enableAudit: false", "bridge, ONCE_AND_ONLY_ONCE", "bridge, DUPLICATES_OK"].map((named) => ({
        ...{ way: named.split(", ")[0], mode: named.split(", ")[1], hops: figure, messages: 40, rounds: figure },
        ...{ perSecond: figure, bareLoopPerSecond: figure, ratio: figure, ratios: expect.any(Array), cpuRatio: figure },
      })),
      bundles: ["control", "deployment", "dispatch", "transfer"].map((handler) => ({ handler, bytes: figure, loadMs: figure })),
    });
  });

  test.for([
    { path: "queue, consumers here", sqs: 0.31, writes: 2 },
    { path: "queue hop, one candidate: its sender", sqs: 0.31, writes: 2 },
    { path: "queue hop, one candidate: its receiver", sqs: 0.31, writes: 2 },
    { path: "queue, two candidates", sqs: 0.41, writes: 2.1 },
    { path: "queue, nobody wants it: it rests", sqs: 0.31, writes: 2.1 },
    { path: "composite of two queues here", sqs: 0.41, writes: 4 },
    { path: "composite of a queue here and one behind the link", sqs: 0.41, writes: 4 },
    { path: "queue hop, FIFO: its sender", sqs: 0.31, writes: 2 },
    { path: "queue hop, FIFO: its receiver", sqs: 0.31, writes: 2 },
    { path: "topic hop: its receiver", sqs: 0.21, writes: 2 },
    { path: "topic hop, direct: its receiver", sqs: 0.31, writes: 2 },
    { path: "topic hop, FIFO: its sender", sqs: 0.31, writes: 2 },
    { path: "topic hop, FIFO: its receiver", sqs: 0.21, writes: 2 },
  ])("$path: at most $sqs SQS calls and $writes DynamoDB writes of a message, and the audit is never read", ({ path, sqs, writes }) => {
    const { callsPerMessage, writesPerMessage, messages, atMost, auditReads } = pathNamed(path);
    expect(messages).toBe(40);
    expect(atMost?.sqs).toBeCloseTo(sqs);
    expect(atMost?.writes).toBeCloseTo(writes);
    expect(callsPerMessage.sqs).toBeGreaterThan(0);
    expect(callsPerMessage.sqs).toBeLessThanOrEqual(sqs);
    expect(writesPerMessage).toBeCloseTo(writes);
    expect(auditReads).toBe(0);
  });

  test.for([
    { rule: "a candidate alone needs no share counter", path: "queue, consumers here", sqs: 12, sns: 0, dynamodb: 44, lambda: 4 },
    {
      rule: "two candidates take one write and one send more a batch",
      path: "queue, two candidates",
      sqs: 16,
      sns: 0,
      dynamodb: 48,
      lambda: 4,
    },
    {
      rule: "what comes to rest is counted by the batch",
      path: "queue, nobody wants it: it rests",
      sqs: 12,
      sns: 0,
      dynamodb: 48,
      lambda: 4,
    },
    {
      rule: "each part of a composite takes a claim, and a settle and a send a batch",
      path: "composite of a queue here and one behind the link",
      sqs: 16,
      sns: 0,
      dynamodb: 84,
      lambda: 4,
    },
    {
      rule: "order takes five reads a batch: the view, what rests in the queue, what waits for the link",
      path: "queue hop, FIFO: its sender",
      sqs: 12,
      sns: 0,
      dynamodb: 44 + 5 * 4,
      lambda: 4,
    },
    { rule: "a topic's copies are published by the batch", path: "topic hop: its receiver", sqs: 8, sns: 4, dynamodb: 44, lambda: 4 },
    {
      rule: "a topic's copies that go straight to a client take receive and delete, and a send a batch for each delivery",
      path: "topic hop, direct: its receiver",
      sqs: 8 + 4,
      sns: 0,
      dynamodb: 44,
      lambda: 4,
    },
  ])("$rule", ({ path, rule: _, ...calls }) => {
    const { callsPerMessage, messages } = pathNamed(path);
    for (const [service, count] of Object.entries(calls))
      expect(callsPerMessage[service as keyof typeof calls] * messages, service).toBeCloseTo(count);
  });

  test("a drain pass is one invocation, with three SQS calls a batch and its result", () => {
    const { callsPerMessage, messages } = pathNamed("sent straight to the queue: drain pass");
    const calls = (service: keyof typeof callsPerMessage): number => callsPerMessage[service] * messages;
    expect(calls("sqs")).toBeCloseTo(13);
    expect(calls("lambda")).toBeCloseTo(1);
    // View and configuration for each receive, unless two fall into one moment of the clock.
    expect(calls("dynamodb")).toBeLessThanOrEqual(2 * 5 + 40 + 4);
  });

  test.for(Object.entries(limits))("the bundle of %s has at most %i KB", ([name, limit]) => {
    const bundle = findings.bundles?.find(({ handler }) => handler === name);
    expect(bundle?.bytes).toBeLessThanOrEqual(limit * 1_000);
  });

  test("every handler has such a limit", () => {
    expect(findings.bundles?.map(({ handler }) => handler)).toEqual(Object.keys(limits).toSorted());
  });

  test("the producer's calls are counted apart", () => {
    for (const { clientSend } of findings.calls?.paths ?? []) expect(clientSend.callsPerMessage).toBe(0.1);
  });

  test("docs/performance.md has the counted calls", async () => {
    const lines = (await readFile("docs/performance.md", "utf8")).split("\n");
    for (const { path, callsPerMessage } of findings.calls?.paths.filter((counted) => !counted.path.endsWith("drain pass")) ?? []) {
      const cells = lines
        .find((line) => line.startsWith(`| ${path} `))
        ?.split("|")
        .map((cell) => cell.trim());
      const { sqs, sns, dynamodb, lambda, sum } = callsPerMessage;
      expect(cells?.slice(3, 8), path).toEqual([sqs, sns, dynamodb, lambda, sum].map((calls) => calls.toFixed(3)));
    }
  });
});

test("while a peer hangs its messages rest, and a local queue's don't wait for it; all arrive when it answers", async () => {
  const { stdout } = await bench("--json", "--messages", "40", "--only", "outage");
  const { outage }: Findings = JSON.parse(stdout);
  const figure = expect.any(Number);
  expect(outage).toEqual({
    healthyQueue: { messages: 10, rounds: figure, undisturbedMs: figure, hangingMs: figure, ratio: figure, ratios: expect.any(Array) },
    catchUp: { messages: 40, seconds: figure },
  });
}, 240_000);

test("an option that doesn't exist is refused in words, and nothing is printed as if it were a result", async () => {
  await expect(bench("--mesages", "40")).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("'--mesages'") });
});
