import { describe, expect, test } from "vitest";
import { carryOut, type Delivered, type Manner } from "../../../../core/broker/dispatch/carrying.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { HandOverAnswer } from "../../../../core/ports.ts";
import type { Plan, Target } from "../../../../core/routing/plan.ts";
import { aMessage } from "../../../support/a-message.ts";
import { accepted, dispatching, refused, silent } from "../../../support/dispatching.ts";

const orders = destinationOf("queue://orders");
const prices = destinationOf("topic://prices");
const overLink: Target = { to: "link", link: linkId(brokerId("a"), "to-b") };
const plan = (target: Target, destination = orders): Plan => ({ plan: "hand-over", target, destination, reason: "network-demand" });
const rests: Plan = { plan: "rest", destination: orders, reason: "no-consumer" };
const dead: Plan = { plan: "dead-letter", reason: "expired" };

/** The first target answers so; whatever is tried after it accepts. */
const handed = async (
  first: HandOverAnswer,
  planned: Plan,
  onRefusal: Manner["onRefusal"],
  destination = orders,
): Promise<Delivered | undefined> => {
  const answers = [first];
  const { ports } = dispatching([], () => answers.shift() ?? accepted);
  const [result] = await carryOut(ports, manner(onRefusal), [{ ref: "m", message: aMessage({ destination }), plan: planned }], 0);
  return result;
};
const manner = (onRefusal: Manner["onRefusal"]): Manner => ({
  keyOf: ({ ref }) => ref,
  onRefusal,
  accepted: async () => {},
  policies: [],
  connectors: [],
});
const said = (result: Delivered | undefined): string =>
  result ? `${result.load.plan.plan} ${"reason" in result.load.plan && result.load.plan.reason}: ${result.end}` : "nothing";

describe("what is sent is carried another way", () => {
  test.for([
    { rule: "never what was accepted", answer: accepted, plan: plan(overLink), ends: "hand-over network-demand: carried" },
    {
      rule: "to the link's own shelter after its silence, which proves nothing",
      answer: silent,
      plan: plan(overLink),
      ends: "park target-silent: carried",
    },
    {
      rule: "after a link's refusal: it rests here",
      answer: refused("other"),
      plan: plan(overLink),
      ends: "rest target-refused: carried",
    },
    { rule: "after a missing inbound, too", answer: refused("missing"), plan: plan(overLink), ends: "rest target-refused: carried" },
    {
      rule: "what is too large for a link: dead letter",
      answer: refused("too-large"),
      plan: plan(overLink),
      ends: "dead-letter too-large: carried",
    },
    {
      rule: "what is too large for its topic: dead letter",
      answer: refused("too-large"),
      plan: plan({ to: "topic", destination: prices }, prices),
      destination: prices,
      ends: "dead-letter too-large: carried",
    },
    {
      rule: "not after a local queue's refusal: it comes again",
      answer: refused("throttled"),
      plan: plan({ to: "queue", destination: orders }),
      ends: "hand-over network-demand: again",
    },
    {
      rule: "not after a topic's refusal: a copy can't rest",
      answer: refused("denied"),
      plan: plan({ to: "topic", destination: prices }, prices),
      destination: prices,
      ends: "hand-over network-demand: again",
    },
    { rule: "not what can't even rest", answer: refused("missing"), plan: rests, ends: "rest no-consumer: again" },
    {
      rule: "not what the dead letters find too large: it comes again",
      answer: refused("too-large"),
      plan: dead,
      ends: "dead-letter expired: again",
    },
  ])("$rule", async ({ answer, plan: planned, destination, ends }) => {
    expect(said(await handed(answer, planned, "rest", destination))).toBe(ends);
  });

  test("from a pass, nothing after a link's refusal: it rests already", async () => {
    expect(said(await handed(refused("other"), plan(overLink), "leave"))).toBe("hand-over network-demand: again");
  });

  test("each for itself, in the order given", async () => {
    const answers = [accepted, refused("other"), silent, refused("too-large")];
    const { ports, handed: sent } = dispatching([], () => answers.shift() ?? accepted);
    const planned = ["1", "2", "3", "4"].map((ref) => ({ ref, message: aMessage({ id: ref }), plan: plan(overLink) }));
    const results = await carryOut(ports, manner("rest"), planned, 0);
    expect(results.map((result) => `${result.load.ref} ${said(result)}`)).toEqual([
      "1 hand-over network-demand: carried",
      "2 rest target-refused: carried",
      "3 park target-silent: carried",
      "4 dead-letter too-large: carried",
    ]);
    expect(sent).toHaveLength(7);
  });
});

test("a batch that can't be sent, audited and unaudited messages in it, fails once: no failure goes unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const { ports } = dispatching([], () => {
    throw new Error("no network");
  });
  const policies = [{ destination: "topic://prices", enableAudit: false }];
  const both = [orders, prices].map((destination, n) => ({ ref: `m${n}`, message: aMessage({ destination }), plan: rests }));
  await expect(carryOut(ports, { ...manner("rest"), policies }, both, 0)).rejects.toThrow("no network");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
