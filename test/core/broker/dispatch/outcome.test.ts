import { describe, expect, test } from "vitest";
import type { Delivered } from "../../../../core/broker/dispatch/carrying.ts";
import { outcomeOf } from "../../../../core/broker/dispatch/outcome.ts";
import { backOff } from "../../../../core/carry/back-off.ts";
import type { Arrival } from "../../../../core/message/arrival.ts";
import type { HandOverAnswer } from "../../../../core/ports.ts";
import type { Plan } from "../../../../core/routing/plan.ts";
import { aMessage } from "../../../support/a-message.ts";
import { accepted, refused, silent } from "../../../support/dispatching.ts";

const message = aMessage();
const arrival: Arrival = { arrival: "message", ref: "m", message };
const { destination } = message;
const handOver: Plan = { plan: "hand-over", target: { to: "queue", destination }, destination, reason: "local-consumers" };
const rest: Plan = { plan: "rest", destination, reason: "no-consumer" };
const planned = (plan: Plan) => ({ ref: "m", message, plan });
const load = (plan: Plan) => ({ ...planned(plan), key: "k", owner: "m" });
const carried = (plan: Plan): Delivered => ({ end: "carried", load: load(plan), answer: accepted, settled: true, takenOver: false });
const again = (plan: Plan, answer: HandOverAnswer): Delivered => ({ end: "again", load: load(plan), answer });

describe("outcomeOf", () => {
  test.for([
    {
      rule: "what was handed over is done",
      arrival,
      results: [carried(handOver)],
      ends: "done",
      steps: ["handed-over local-consumers"],
    },
    { rule: "what rests is done", arrival, results: [carried(rest)], ends: "done", steps: ["rested no-consumer"] },
    {
      rule: "what is dropped is done, with its reason",
      arrival,
      results: [planned({ plan: "drop", reason: "echo" })],
      ends: "done",
      steps: ["dropped echo"],
    },
    {
      rule: "what is dead-lettered is done",
      arrival,
      results: [carried({ plan: "dead-letter", reason: "too-large" })],
      ends: "done",
      steps: ["dead-lettered too-large"],
    },
    {
      rule: "what waits for its destination comes again",
      arrival,
      results: [planned({ plan: "later", reason: "unknown-destination" })],
      ends: "again",
      steps: ["given-back unknown-destination"],
    },
    {
      rule: "silence comes again",
      arrival,
      results: [again(handOver, silent)],
      ends: "again",
      steps: ["given-back target-silent"],
    },
    {
      rule: "a refusal comes again",
      arrival,
      results: [again(handOver, refused("throttled"))],
      ends: "again",
      steps: ["given-back target-refused"],
    },
    {
      rule: "what was carried before is dropped",
      arrival,
      results: [{ end: "duplicate", load: load(handOver) } as const],
      ends: "done",
      steps: ["dropped duplicate"],
    },
    {
      rule: "what another handler may be at comes again",
      arrival,
      results: [{ end: "in-progress", load: load(handOver), ms: 64_001 } as const],
      ends: "again",
      steps: ["given-back in-progress"],
    },
    {
      rule: "what waits for its link alone is done",
      arrival,
      results: [carried({ plan: "park", link: "a:to-b" as never, destination, reason: "target-silent" })],
      ends: "done",
      steps: ["parked target-silent"],
    },
    {
      rule: "one part that failed brings all of it back",
      arrival,
      results: [carried(handOver), again(rest, silent)],
      ends: "again",
      steps: ["handed-over local-consumers", "given-back target-silent"],
    },
    {
      rule: "an unknown key is waited for",
      arrival: { arrival: "unknown-key", ref: "m", kid: "k" } as const,
      results: [],
      ends: "again",
      steps: ["given-back unknown-key"],
    },
    {
      rule: "a confirmation is done",
      arrival: { arrival: "confirmation", ref: "m", topicArn: "t", token: "x" } as const,
      results: [],
      ends: "done",
      steps: ["passed-on confirmation"],
    },
    {
      rule: "what can't be decoded and wasn't buried comes again",
      arrival: { arrival: "undecodable", ref: "m", why: "w" } as const,
      results: [],
      ends: "again",
      steps: ["given-back undecodable"],
    },
  ])("$rule", ({ arrival: came, results, ends, steps }) => {
    const outcome = outcomeOf(came, results, undefined, 1);
    expect([outcome.ends.is, outcome.steps.map(({ verdict, reason }) => `${verdict} ${reason}`)]).toEqual([ends, steps]);
  });

  test("comes again when the handler that may be at it can't be any more, whatever its receives", () => {
    const busy = { end: "in-progress", load: load(handOver), ms: 64_001 } as const;
    expect(outcomeOf(arrival, [busy], undefined, 1).ends).toEqual({ is: "again", seconds: 65 });
  });

  test("says what may be there twice, and what the audit wasn't told", () => {
    const step = (fields: object) => outcomeOf(arrival, [{ ...carried(handOver), ...fields } as Delivered], undefined, 1).steps[0];
    expect(step({ takenOver: true })).toMatchObject({ verdict: "handed-over", redelivered: true });
    expect(step({ settled: false })).toMatchObject({ verdict: "handed-over", unsettled: true });
  });

  test("names the message and the link it came by, for the log", () => {
    const cameBy = "b:to-a" as never;
    expect(outcomeOf({ ...arrival, cameBy }, [], undefined, 1)).toMatchObject({ ref: "m", messageId: message.id, cameBy });
  });
});

test.for([
  { receives: 0, seconds: 2 },
  { receives: 1, seconds: 2 },
  { receives: 2, seconds: 4 },
  { receives: 10, seconds: 1_024 },
  { receives: 11, seconds: 1_800 },
  { receives: 1_000, seconds: 1_800 },
])("after $receives receives a copy comes again in $seconds s", ({ receives, seconds }) => {
  expect(backOff(receives)).toBe(seconds);
});
