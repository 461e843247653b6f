import { describe, expect, test } from "vitest";
import { backOff, outcomeOf } from "../../../../core/broker/dispatch/outcome.ts";
import type { Arrival } from "../../../../core/message/arrival.ts";
import type { Plan } from "../../../../core/routing/plan.ts";
import { aMessage } from "../../../support/a-message.ts";
import { accepted, refused, silent } from "../../../support/dispatching.ts";

const message = aMessage();
const arrival: Arrival = { arrival: "message", ref: "m", message };
const { destination } = message;
const handOver: Plan = { plan: "hand-over", target: { to: "queue", destination }, destination, reason: "local-consumers" };
const rest: Plan = { plan: "rest", destination, reason: "no-consumer" };
const planned = (plan: Plan) => ({ ref: "m", message, plan });

describe("outcomeOf", () => {
  test.for([
    {
      rule: "what was handed over is done",
      arrival,
      results: [{ ...planned(handOver), answer: accepted }],
      ends: "done",
      steps: ["handed-over local-consumers"],
    },
    { rule: "what rests is done", arrival, results: [{ ...planned(rest), answer: accepted }], ends: "done", steps: ["rested no-consumer"] },
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
      results: [{ ...planned({ plan: "dead-letter", reason: "too-large" }), answer: accepted }],
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
      results: [{ ...planned(handOver), answer: silent }],
      ends: "again",
      steps: ["given-back target-silent"],
    },
    {
      rule: "a refusal comes again",
      arrival,
      results: [{ ...planned(handOver), answer: refused("throttled") }],
      ends: "again",
      steps: ["given-back target-refused"],
    },
    {
      rule: "one part that failed brings all of it back",
      arrival,
      results: [
        { ...planned(handOver), answer: accepted },
        { ...planned(rest), answer: silent },
      ],
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
