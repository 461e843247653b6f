import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import { planInOrder, type Waiting } from "../../../core/routing/order.ts";
import type { Plan } from "../../../core/routing/plan.ts";
import type { Candidate, DestinationView } from "../../../core/routing/view.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aMessage } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";

const orders = destinationOf("queue://orders.fifo");
const connectors = [aLinkFrom("a", "b"), aLinkFrom("a", "c")];

const link = (to: string, priority = 0, weight = 1): Candidate => ({
  to: "link",
  id: `link:a:to-${to}@${priority}`,
  priority,
  weight,
  link: linkId(brokerId("a"), `to-${to}`),
});
const here: Candidate = { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 0 };
const mine: Candidate = { to: "private", id: "private:conn/c1", priority: 0, weight: 1, capacity: 0, queue: "conn.c1.fifo" };
const view = (candidates: readonly Candidate[], destination = orders): DestinationView => ({
  destination,
  candidates,
  localSubscribers: false,
  readyAt: 0,
  changedAt: 0,
});
const waiting = (inQueue: boolean, forLinks: readonly (readonly ["b" | "c", "breaker-open" | "behind-parked"])[] = []): Waiting => ({
  inQueue,
  forLinks: new Map(forLinks.map(([to, why]) => [linkId(brokerId("a"), `to-${to}`), why])),
});
const nothing = waiting(false);
const said = (plan: Plan): string => {
  if (plan.plan === "hand-over")
    return plan.target.to === "link" ? `${plan.target.link}${plan.target.fifo ? " in order" : ""}` : plan.target.to;
  return `${plan.plan} ${"reason" in plan && plan.reason}${plan.plan === "rest" && plan.behind ? ` ${plan.behind.join(" ")}` : ""}`;
};

describe("a message of a FIFO queue under a rate", () => {
  const [b] = [linkId(brokerId("a"), "to-b")];
  const plan = (candidates: readonly Candidate[], waits: Waiting) =>
    planInOrder(aMessage({ destination: orders }), view(candidates), { connectors, spent: new Map([[b, 2_000]]) }, waits, sha256);

  test("REP-4: waits for its link's next window, even if others could take it", () => {
    const candidates = [link("b", 1), here];
    expect(plan(candidates, nothing)).toEqual({ plan: "rest", destination: orders, reason: "rate-limit", until: 2_000 });
  });

  test("stands behind what rests, whatever the window", () => {
    expect(said(plan([link("b")], waiting(true)))).toBe("rest behind-resting");
  });
});

describe("a message of a FIFO queue", () => {
  test.for([
    { rule: "goes over a link's ordered way", candidates: [link("b")], waits: nothing, goes: "a:to-b in order" },
    { rule: "goes to the consumers here, however many wait for them", candidates: [here, link("b", -1)], waits: nothing, goes: "queue" },
    { rule: "rests behind what rests", candidates: [link("b")], waits: waiting(true), goes: "rest behind-resting" },
    {
      rule: "rests behind it even if a consumer with its own queue is here",
      candidates: [mine],
      waits: waiting(true),
      goes: "rest behind-resting",
    },
    { rule: "stands behind it in the queue of the consumers here anyway", candidates: [here], waits: waiting(true), goes: "queue" },
    {
      rule: "rests behind what is parked for its link",
      candidates: [link("b")],
      waits: waiting(false, [["b", "behind-parked"]]),
      goes: "rest behind-parked a:to-b",
    },
    {
      rule: "rests for a link whose breaker is open",
      candidates: [link("b")],
      waits: waiting(true, [["b", "breaker-open"]]),
      goes: "rest breaker-open a:to-b",
    },
    {
      rule: "doesn't wait for another link",
      candidates: [link("b")],
      waits: waiting(false, [["c", "breaker-open"]]),
      goes: "a:to-b in order",
    },
    { rule: "rests without candidates", candidates: [], waits: nothing, goes: "rest no-consumer" },
  ])("$rule", ({ candidates, waits, goes }) => {
    expect(said(planInOrder(aMessage({ destination: orders }), view(candidates), { connectors }, waits, sha256))).toBe(goes);
  });

  test.for([
    { rule: "goes back where no way leads on", candidates: [link("b")], goes: "a:to-b in order" },
    {
      rule: "doesn't go back while a way leads on: it would meet what comes after it",
      candidates: [link("b"), link("c")],
      goes: "a:to-c in order",
    },
  ])("that may go back $rule", ({ candidates, goes }) => {
    const further = connectors.map((one) => ({ ...one, messageTTL: 2 }));
    for (const groupId of ["g0", "g1", "g2", "g3"]) {
      const message = aMessage({ destination: orders, brokerPath: [brokerId("b")], groupId });
      expect(said(planInOrder(message, view(candidates), { connectors: further, replay: { from: 0, now: 1 } }, nothing, sha256))).toBe(
        goes,
      );
    }
  });

  const wayOf = (groupId: string, candidates: readonly Candidate[], waits = nothing): string =>
    said(planInOrder(aMessage({ destination: orders, groupId }), view(candidates), { connectors }, waits, sha256));
  const groups = Array.from({ length: 400 }, (_, n) => `g${n}`);

  test("has the way of its group, whatever was sent before and in whatever order the candidates come", () => {
    for (const group of groups) expect(wayOf(group, [link("c"), here, link("b")])).toBe(wayOf(group, [here, link("b"), link("c")]));
  });

  test("has groups shared out by weight", () => {
    const ways = groups.map((group) => wayOf(group, [link("b", 0, 3), link("c")]));
    const toTheHeavier = ways.filter((way) => way === "a:to-b in order").length;
    expect(toTheHeavier).toBeGreaterThan(260);
    expect(toTheHeavier).toBeLessThan(340);
  });

  test("waits for the way of its group though another one is free", () => {
    const ways = new Set(groups.map((group) => wayOf(group, [link("b"), link("c")], waiting(false, [["c", "breaker-open"]]))));
    expect(ways).toEqual(new Set(["a:to-b in order", "rest breaker-open a:to-c"]));
  });
});
