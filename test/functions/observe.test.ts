import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../core/broker/dispatch/outcome.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import { dispatchHandler } from "../../functions/dispatch.ts";
import { observer, powertools } from "../../functions/observe.ts";
import { aView, dispatching, fromProducer, localConsumers } from "../support/dispatching.ts";
import { aContext, anSqsEvent, rememberingReturns } from "./an-event.ts";

const done = { is: "done" } as const;
const outcomes: readonly Outcome[] = [
  {
    ref: "1",
    ends: done,
    messageId: "m1",
    steps: [{ verdict: "handed-over", reason: "local-consumers", destination: "queue://q", target: "queue" }],
  },
  {
    ref: "2",
    ends: done,
    messageId: "m2",
    steps: [{ verdict: "handed-over", reason: "network-demand", destination: "queue://q", target: "us:us-eu" }],
  },
  {
    ref: "3",
    ends: done,
    messageId: "m3",
    cameBy: linkId(brokerId("eu"), "us-eu"),
    steps: [{ verdict: "dropped", reason: "crossed-in-vain" }],
  },
  { ref: "6", ends: done, messageId: "m6", steps: [{ verdict: "rested", reason: "no-consumer", failing: ["a + 1 = 2"] }] },
  { ref: "4", ends: { is: "again", seconds: 2 }, steps: [{ verdict: "given-back", reason: "unknown-key", why: "key 7" }] },
  { ref: "7", ends: { is: "again", seconds: 0 }, steps: [{ verdict: "given-back", reason: "out-of-time" }] },
  { ref: "5", ends: done, steps: [{ verdict: "passed-on", reason: "probe" }] },
];

const observing = () => {
  const lines: object[] = [];
  const counts: (readonly [string, string, number])[] = [];
  return {
    lines,
    counts,
    told: observer({
      log: (level, message, fields) => void lines.push({ level, message, ...fields }),
      count: (...counted) => void counts.push(counted),
    }),
  };
};

describe("what is observed", () => {
  test("one line for each outcome, with its reason", () => {
    const { told, lines } = observing();
    told.dispatched(outcomes);
    expect(lines).toMatchObject([
      { level: "info", message: "handed-over", messageId: "m1", reason: "local-consumers", destination: "queue://q", target: "queue" },
      { level: "info", message: "handed-over", messageId: "m2", reason: "network-demand", target: "us:us-eu" },
      { level: "info", message: "dropped", messageId: "m3", link: "eu:us-eu", reason: "crossed-in-vain" },
      { level: "info", message: "rested", failing: ["a + 1 = 2"] },
      { level: "warn", message: "given-back", reason: "unknown-key", why: "key 7" },
      { level: "warn", message: "given-back", reason: "out-of-time" },
      { level: "info", message: "passed-on", reason: "probe" },
    ]);
  });

  const place = { to: "queue", destination: { kind: "queue", name: "q" } } as const;
  const pass = {
    place,
    pass: "p",
    counter: 1,
    viewRevision: 1,
    moved: 5,
    renewed: 0,
    left: 2,
    complete: true,
    rests: { "already-visited": 2 },
  };
  test.for([
    {
      rule: "a pass is a line, with why messages are left, and what it moved",
      result: pass,
      line: {
        level: "info",
        message: "pass",
        place: "queue://q",
        moved: 5,
        renewed: 0,
        left: 2,
        rests: { "already-visited": 2 },
        complete: true,
      },
      counted: [["moved", "none", 5]],
    },
    {
      rule: "a carry-over warns that nobody has emptied the place for a week, and is counted",
      result: { ...pass, place: { to: "undelivered", link: linkId(brokerId("us"), "us-eu") } as const, moved: 0, renewed: 3, olderThan: 9 },
      line: { level: "warn", message: "carry-over", place: "undelivered|us:us-eu", renewed: 3, olderThan: 9 },
      counted: [
        ["sent-anew", "us:us-eu", 3],
        ["carry-over", "us:us-eu", 1],
      ],
    },
  ])("$rule", ({ result, line, counted }) => {
    const { told, lines, counts } = observing();
    told.passed(result);
    expect([lines, counts]).toMatchObject([[line], counted]);
  });

  test("a batch is counted once for each verdict and link, in the same words; probes aren't", () => {
    const { told, counts } = observing();
    told.dispatched(outcomes);
    expect(counts).toEqual([
      ["handed-over", "none", 2],
      ["dropped", "eu:us-eu", 1],
      ["crossedInVain", "eu:us-eu", 1],
      ["rested", "none", 1],
      ["selectorFailed", "none", 1],
      ["given-back", "none", 2],
      ["outOfTime", "none", 1],
    ]);
  });

  test("control's events are quiet as long as they are applied and there is nothing to know of", () => {
    const { told, lines } = observing();
    told.controlled([
      { ref: "1", event: "hint", verdict: "applied" },
      { ref: "2", event: "compare", verdict: "dropped", why: "the peer doesn't answer" },
      { ref: "3", event: "connection", verdict: "applied", why: "one filter policy too many" },
    ]);
    expect(lines).toMatchObject([
      { level: "debug", event: "hint" },
      { level: "warn", event: "compare", verdict: "dropped", why: "the peer doesn't answer", eventId: "2" },
      { level: "warn", event: "connection", verdict: "applied", why: "one filter policy too many" },
    ]);
  });
});

describe("what Lambda's log gets", () => {
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  let written = "";
  beforeEach(() => {
    written = "";
    for (const { stream } of streams) {
      stream.write = (text: string | Uint8Array) => {
        written += text;
        return true;
      };
    }
  });
  afterEach(() => {
    for (const { stream, write } of streams) stream.write = write;
  });

  const secret = "hunter2";
  const text = (value: string) => ({ type: "String", value });
  const queue = "queue://orders";
  const records = [
    { ...fromProducer("m1", queue), body: secret },
    { ...fromProducer("m2", queue), attributes: { destination: text(queue), password: text(secret) } },
    {
      ...fromProducer("m3", queue),
      attributes: { destination: text(queue), SpanMQ: text(`{"v":1,"properties":{"password":"${secret}"}}`) },
    },
    { ...fromProducer("m4", queue), body: secret, attributes: { SpanMQ: text(secret) } },
    { ...fromProducer("m5", queue), attributes: { SpanMQ: text(`{"v":"${secret}","properties":{"password":["${secret}"]}}`) } },
    { ...fromProducer("m6", queue), body: secret, attributes: {} },
  ];

  test("is JSON: a line for each outcome and one metric for each verdict and link, and never a body or a property", async () => {
    const { ports } = dispatching([aView(queue, [localConsumers])]);
    const told = observer(powertools(brokerId("a"), "spanmq-dispatch"));
    const handler = dispatchHandler(
      { ...ports, freshViews: ports.views, returns: rememberingReturns(), doorOf: async () => ({ door: "ingress" }) },
      told,
      () => 0,
    );
    await handler(anSqsEvent(records), aContext());
    const lines = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const verdicts = ["handed-over", "handed-over", "handed-over", "dead-lettered", "dead-lettered", "dead-lettered"];
    expect(lines.filter(({ message }) => message).map(({ broker, verdict }) => [broker, verdict])).toEqual(
      verdicts.map((verdict) => ["a", verdict]),
    );
    const metrics = lines.filter(({ _aws }) => _aws);
    expect(metrics).toMatchObject([
      { broker: "a", link: "none", "handed-over": 3 },
      { broker: "a", link: "none", "dead-lettered": 3 },
    ]);
    expect(written).not.toContain(secret);
  });
});
