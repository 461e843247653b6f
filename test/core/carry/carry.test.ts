import { describe, expect, test } from "vitest";
import { type Carrier, carry, type Load } from "../../../core/carry/carry.ts";
import type { ClaimRecord } from "../../../core/carry/claim.ts";
import type { HandOverAnswer } from "../../../core/ports.ts";
import { loggedAudit } from "../../support/logged-audit.ts";
import { memoryAudit } from "../../support/memory/audit.ts";

type Plan = "link" | "queue" | "undelivered";
type Target = Plan;

const accepted: HandOverAnswer = { answer: "accepted" };
const silent: HandOverAnswer = { answer: "silent", why: "no answer in 3 s" };
const refused: HandOverAnswer = { answer: "refused", cause: "denied", why: "denied" };
const tooLarge: HandOverAnswer = { answer: "refused", cause: "too-large", why: "2 MiB" };
const longest = 60_000;

interface World {
  /** What each target answers, call after call; the last one for ever. */
  readonly answers?: Partial<Readonly<Record<Target, readonly HandOverAnswer[]>>>;
  readonly found?: Partial<ClaimRecord<Plan>>;
}

/** Carries one load that is meant for a link; a queue takes what the link refuses, `undelivered` what it doesn't answer to. */
const carrying = ({ answers = {}, found }: World = {}, now = 1_000_000) => {
  const audit = memoryAudit<Plan>();
  const log: string[] = [];
  const calls = new Map<Target, number>();
  const key = "ingress|queue://q|0|m1";
  if (found) audit.records.set(key, { owner: "copy0", attempt: "earlier", claimedAt: now, plan: "link", state: "claimed", ...found });
  const carrier: Carrier<Plan, Load<Plan>> = {
    audit: loggedAudit(audit, log),
    attempt: "own",
    longest,
    handOver: async (loads) =>
      loads.map(({ plan }) => {
        log.push(`hand over to ${plan}`);
        const script = answers[plan] ?? [accepted];
        const call = calls.get(plan) ?? 0;
        calls.set(plan, call + 1);
        return script[Math.min(call, script.length - 1)] ?? accepted;
      }),
    withPlan: (load, plan) => ({ ...load, plan }),
    chooseAnew: (load) => (load.plan === "link" ? { ...load, plan: "queue" } : undefined),
    park: (load) => (load.plan === "link" ? { ...load, plan: "undelivered" } : undefined),
    accepted: async (loads) => void log.push(`note ${loads.map(({ plan }) => plan).join()}`),
  };
  const run = async () => {
    const [result] = await carry(carrier, [{ key, owner: "copy1", plan: "link" }], now);
    return { result, log, record: audit.records.get(key) };
  };
  return { run, carrier, audit };
};

interface Row extends World {
  readonly rule: string;
  readonly ends: object;
  readonly steps: readonly string[];
  readonly leaves: Partial<ClaimRecord<Plan>> | undefined;
}

const through = ["claim", "hand over to link", "note link", "settle"];

describe("a load is carried: claim, hand over, settle", () => {
  test.for<Row>([
    { rule: "once, in this order", ends: { end: "carried", settled: true, takenOver: false }, steps: through, leaves: { state: "done" } },
    {
      rule: "not again, once it is done",
      found: { state: "done" },
      ends: { end: "duplicate" },
      steps: ["claim"],
      leaves: { state: "done", attempt: "earlier" },
    },
    {
      rule: "not while another handler may be at it",
      found: {},
      ends: { end: "in-progress", ms: longest + 5_000 },
      steps: ["claim"],
      leaves: { state: "claimed", attempt: "earlier" },
    },
    {
      rule: "by whoever finds the claim too old, along its stored plan",
      found: { claimedAt: 0, plan: "queue" },
      ends: { end: "carried", takenOver: true, load: { key: "ingress|queue://q|0|m1", owner: "copy1", plan: "queue" } },
      steps: ["claim", "take over", "hand over to queue", "note queue", "settle"],
      leaves: { state: "done", attempt: "own.0", owner: "copy1" },
    },
    {
      rule: "the same way where it was taken over and is refused now: an earlier carrier's call may have been accepted",
      answers: { link: [refused] },
      found: { claimedAt: 0 },
      ends: { end: "carried", takenOver: true, load: { key: "ingress|queue://q|0|m1", owner: "copy1", plan: "undelivered" } },
      steps: ["claim", "take over", "hand over to link", "hand over to undelivered", "note undelivered", "settle"],
      leaves: { state: "done", plan: "link" },
    },
    {
      rule: "later and the same way, where there is no shelter for such a one: the claim stands",
      answers: { queue: [refused] },
      found: { claimedAt: 0, plan: "queue" },
      ends: { end: "again", answer: refused },
      steps: ["claim", "take over", "hand over to queue"],
      leaves: { state: "claimed", plan: "queue" },
    },
    {
      rule: "not at all where it was taken over, its target is gone, and nothing shelters it: its claim is released, and it is planned anew",
      found: { claimedAt: 0, plan: "queue" },
      answers: { queue: [{ answer: "refused", cause: "missing", why: "no such queue" }] },
      ends: { end: "again" },
      steps: ["claim", "take over", "hand over to queue", "release"],
      leaves: undefined,
    },
    {
      rule: "another way where it was taken over and is too large: it was for the earlier carrier too",
      answers: { link: [tooLarge] },
      found: { claimedAt: 0 },
      ends: { end: "carried", load: { key: "ingress|queue://q|0|m1", owner: "copy1", plan: "queue" } },
      steps: ["claim", "take over", "hand over to link", "release", "claim", "hand over to queue", "note queue", "settle"],
      leaves: { state: "done", plan: "queue" },
    },
    {
      rule: "after our own claim was repeated by the SDK",
      found: { attempt: "own.0" },
      ends: { end: "carried", takenOver: false },
      steps: through,
      leaves: { state: "done" },
    },
    {
      rule: "another way when its target proved its refusal, by a claim with the new plan",
      answers: { link: [refused] },
      ends: { end: "carried", load: { key: "ingress|queue://q|0|m1", owner: "copy1", plan: "queue" } },
      steps: ["claim", "hand over to link", "release", "claim", "hand over to queue", "note queue", "settle"],
      leaves: { state: "done", plan: "queue" },
    },
    {
      rule: "later, free to go anywhere, when the other way is refused too",
      answers: { link: [refused], queue: [refused] },
      ends: { end: "again", answer: refused },
      steps: ["claim", "hand over to link", "release", "claim", "hand over to queue", "release"],
      leaves: undefined,
    },
    {
      rule: "to where its target's door will judge, when the target said nothing: parked, and done here",
      answers: { link: [silent] },
      ends: { end: "carried", load: { key: "ingress|queue://q|0|m1", owner: "copy1", plan: "undelivered" } },
      steps: ["claim", "hand over to link", "hand over to undelivered", "note undelivered", "settle"],
      leaves: { state: "done", plan: "link" },
    },
    {
      rule: "the same way again later, when it couldn't even be parked: the claim stands",
      answers: { link: [silent], undelivered: [silent] },
      ends: { end: "again", answer: silent },
      steps: ["claim", "hand over to link", "hand over to undelivered"],
      leaves: { state: "claimed", attempt: "own.0", plan: "link" },
    },
    {
      rule: "the same way again when the shelter refused: the link may have it",
      answers: { link: [silent], undelivered: [refused] },
      ends: { end: "again", answer: refused },
      steps: ["claim", "hand over to link", "hand over to undelivered"],
      leaves: { state: "claimed", plan: "link" },
    },
    {
      rule: "not parked when the place of a new choice says nothing: it comes again by that plan",
      answers: { link: [refused], queue: [silent] },
      ends: { end: "again", answer: silent },
      steps: ["claim", "hand over to link", "release", "claim", "hand over to queue"],
      leaves: { state: "claimed", plan: "queue" },
    },
  ])("$rule", async ({ ends, steps, leaves, ...world }) => {
    const { result, log, record } = await carrying(world).run();
    expect(log).toEqual(steps);
    expect(result).toMatchObject(ends);
    if (leaves) expect(record).toMatchObject(leaves);
    else expect(record).toBeUndefined();
  });

  test("two that find the same old claim: one takes it over, the other comes again", async () => {
    const { carrier, audit } = carrying({ found: { claimedAt: 0 } });
    const [first] = await carry({ ...carrier, audit }, [{ key: "ingress|queue://q|0|m1", owner: "copy1", plan: "link" }], 1_000_000);
    const late = {
      ...audit,
      claim: async () => [
        {
          answer: "found" as const,
          record: { owner: "copy0", attempt: "earlier", claimedAt: 0, plan: "link" as const, state: "claimed" as const },
        },
      ],
    };
    const [second] = await carry(
      { ...carrier, audit: late, attempt: "other" },
      [{ key: "ingress|queue://q|0|m1", owner: "copy2", plan: "link" }],
      1_000_000,
    );
    expect([first?.end, second?.end]).toEqual(["carried", "in-progress"]);
  });

  test("an audit that doesn't answer lets nothing go", async () => {
    const { carrier } = carrying();
    const mute = { ...carrier.audit, claim: async () => [{ answer: "unknown" as const, why: "throttled" }] };
    const [result] = await carry({ ...carrier, audit: mute }, [{ key: "k", owner: "c", plan: "link" }], 0);
    expect(result).toMatchObject({ end: "again", answer: { answer: "silent", why: "the audit: throttled" } });
  });

  test("a settle that failed for good counts as done for this copy, and says so", async () => {
    const { carrier } = carrying();
    const [result] = await carry(
      { ...carrier, audit: { ...carrier.audit, settle: async () => ["unsettled"] } },
      [{ key: "k", owner: "c", plan: "link" }],
      0,
    );
    expect(result).toMatchObject({ end: "carried", settled: false });
  });

  test("J15 of two copies in one batch one is carried, the other comes again and is dropped then", async () => {
    const { carrier } = carrying();
    const twins = ["copy1", "copy2"].map((owner) => ({ key: "k", owner, plan: "link" as const }));
    const results = await carry(carrier, twins, 0);
    expect(results.map(({ end }) => end)).toEqual(["carried", "in-progress"]);
    expect((await carry({ ...carrier, attempt: "next" }, twins.slice(1), 0)).map(({ end }) => end)).toEqual(["duplicate"]);
  });

  test("a refused load whose release failed goes no other way: whoever came after us would follow the plan that stands", async () => {
    const { carrier, audit } = carrying({ answers: { link: [refused] } });
    const results = await carry(
      { ...carrier, audit: { ...audit, release: async () => ["unreleased"] } },
      [{ key: "k", owner: "c", plan: "link" }],
      0,
    );
    expect(results.map(({ end }) => end)).toEqual(["in-progress"]);
    expect(audit.records.get("k")).toMatchObject({ state: "claimed", plan: "link" });
  });

  test("each load of a batch ends for itself", async () => {
    const { carrier, audit } = carrying({ answers: { link: [refused, silent, accepted] } });
    audit.records.set("k3", { owner: "x", attempt: "earlier", claimedAt: 0, plan: "link", state: "done" });
    const loads = ["k0", "k1", "k2", "k3"].map((key) => ({ key, owner: key, plan: "link" as const }));
    const results = await carry(carrier, loads, 0);
    expect(results.map((one) => [one.load.key, one.end, one.load.plan])).toEqual([
      ["k0", "carried", "queue"],
      ["k1", "carried", "undelivered"],
      ["k2", "carried", "link"],
      ["k3", "duplicate", "link"],
    ]);
  });
});
