import { describe, expect, test } from "vitest";
import type { Outcome } from "../../core/broker/dispatch/outcome.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import { observer } from "../../functions/observe.ts";

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
  { ref: "4", ends: { is: "again", seconds: 2 }, steps: [{ verdict: "given-back", reason: "unknown-key", why: "key 7" }] },
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
      { level: "warn", message: "given-back", reason: "unknown-key", why: "key 7" },
      { level: "info", message: "passed-on", reason: "probe" },
    ]);
  });

  test("a batch is counted once for each verdict and link, in the same words; probes aren't", () => {
    const { told, counts } = observing();
    told.dispatched(outcomes);
    expect(counts).toEqual([
      ["handed-over", "none", 2],
      ["dropped", "eu:us-eu", 1],
      ["crossedInVain", "eu:us-eu", 1],
      ["given-back", "none", 1],
    ]);
  });

  test("control's events are quiet as long as they are applied", () => {
    const { told, lines } = observing();
    told.controlled([
      { ref: "1", event: "hint", verdict: "applied" },
      { ref: "2", event: "compare", verdict: "dropped", why: "the peer doesn't answer" },
    ]);
    expect(lines).toMatchObject([
      { level: "debug", event: "hint" },
      { level: "warn", event: "compare", verdict: "dropped", why: "the peer doesn't answer", eventId: "2" },
    ]);
  });
});
