import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryAudit } from "../../../aws/memory-audit.ts";
import type { Load } from "../../../core/carry/carry.ts";
import type { ClaimRecord } from "../../../core/carry/claim.ts";
import { carryByQuality, type OrderedCarrier, type QualityOfService } from "../../../core/carry/quality-of-service.ts";
import type { HandOverAnswer } from "../../../core/ports.ts";
import { loggedAudit } from "../../support/logged-audit.ts";

const accepted: HandOverAnswer = { answer: "accepted" };
const silent: HandOverAnswer = { answer: "silent", why: "no answer in 3 s" };
const refused: HandOverAnswer = { answer: "refused", cause: "denied", why: "denied" };
const longest = 60_000;
const now = 1_000_000;
const young = { owner: "copy0", attempt: "earlier", claimedAt: now, plan: "target", state: "claimed" } as const;
const old = { ...young, claimedAt: 0 };
const done = { ...young, state: "done" } as const;

interface World {
  readonly answer?: HandOverAnswer;
  /** Whether the source's delete surely did what it should. */
  readonly removed?: boolean;
  readonly found?: ClaimRecord<string>;
}

/** Carries one load to a target whose shelter takes what it doesn't answer to. */
const carrying = ({ answer = accepted, removed = true, found }: World) => {
  const audit = memoryAudit<string>();
  if (found) audit.records.set("k", found);
  const log: string[] = [];
  const carrier: OrderedCarrier<string, Load<string>> = {
    audit: loggedAudit(audit, log),
    attempt: "own",
    longest,
    remove: async (loads) => {
      log.push(...loads.map(() => "delete"));
      return loads.map(() => removed);
    },
    handOver: async (loads) => {
      log.push(...loads.map(({ plan }) => `send to ${plan}`));
      return loads.map(({ plan }) => (plan === "target" ? answer : accepted));
    },
    withPlan: (load, plan) => ({ ...load, plan }),
    chooseAnew: () => undefined,
    park: (load) => ({ ...load, plan: "undelivered" }),
    accepted: async () => {},
  };
  return { carrier, log, audit };
};

interface Row extends World {
  readonly rule: string;
  readonly mode: QualityOfService;
  readonly steps: readonly string[];
  /** Then the caller deletes it, unless it is for another time. */
  readonly ends: object;
}

describe("a load is carried in the order that its quality of service asks", () => {
  test.for<Row>([
    {
      rule: "ONCE_AND_ONLY_ONCE: claim, hand over, settle",
      mode: "ONCE_AND_ONLY_ONCE",
      steps: ["claim", "send to target", "settle"],
      ends: { end: "carried", settled: true },
    },
    {
      rule: "ONCE_AND_ONLY_ONCE: what the target may have waits for it alone",
      mode: "ONCE_AND_ONLY_ONCE",
      answer: silent,
      steps: ["claim", "send to target", "send to undelivered", "settle"],
      ends: { end: "carried" },
    },
    {
      rule: "DUPLICATES_OK: hand over; no claim is asked for",
      mode: "DUPLICATES_OK",
      found: done,
      steps: ["send to target"],
      ends: { end: "carried", settled: true },
    },
    {
      rule: "DUPLICATES_OK: what was refused isn't deleted",
      mode: "DUPLICATES_OK",
      answer: refused,
      steps: ["send to target"],
      ends: { end: "again", answer: refused },
    },
    {
      rule: "DUPLICATES_OK: what the target may have waits for it alone",
      mode: "DUPLICATES_OK",
      answer: silent,
      steps: ["send to target", "send to undelivered"],
      ends: { end: "carried", load: { plan: "undelivered" } },
    },
    {
      rule: "AT_MOST_ONCE: claim, delete, hand over",
      mode: "AT_MOST_ONCE",
      steps: ["claim", "delete", "send to target", "settle"],
      ends: { end: "carried" },
    },
    {
      rule: "AT_MOST_ONCE: what wasn't surely deleted isn't handed over, and comes again freely",
      mode: "AT_MOST_ONCE",
      removed: false,
      steps: ["claim", "delete", "release"],
      ends: { end: "again", answer: { answer: "refused", why: "not surely deleted at its source" } },
    },
    {
      rule: "AT_MOST_ONCE: what was deleted and then refused is lost, with the reason",
      mode: "AT_MOST_ONCE",
      answer: refused,
      steps: ["claim", "delete", "send to target", "release"],
      ends: { end: "lost", answer: refused },
    },
    {
      rule: "AT_MOST_ONCE: what was deleted and got no answer may be lost, and goes nowhere else",
      mode: "AT_MOST_ONCE",
      answer: silent,
      steps: ["claim", "delete", "send to target"],
      ends: { end: "lost", answer: silent },
    },
    {
      rule: "AT_MOST_ONCE: what was carried before is dropped",
      mode: "AT_MOST_ONCE",
      found: done,
      steps: ["claim"],
      ends: { end: "duplicate" },
    },
    {
      rule: "AT_MOST_ONCE: what somebody is at is left to him, since he may not have deleted it",
      mode: "AT_MOST_ONCE",
      found: young,
      steps: ["claim"],
      ends: { end: "in-progress", ms: longest + 5_000 },
    },
    {
      rule: "AT_MOST_ONCE: what somebody died at is dropped: nobody takes it over",
      mode: "AT_MOST_ONCE",
      found: old,
      steps: ["claim"],
      ends: { end: "duplicate" },
    },
  ])("$rule", async ({ mode, steps, ends, ...world }) => {
    const { carrier, log } = carrying(world);
    expect(await carryByQuality(mode, carrier, [{ key: "k", owner: "copy1", plan: "target" }], now)).toMatchObject([ends]);
    expect(log).toEqual(steps);
  });

  test("each load of a batch ends for itself, and only what is surely gone is handed over", async () => {
    const { carrier, log } = carrying({});
    const loads = ["k0", "k1", "k2"].map((key) => ({ key, owner: key, plan: "target" }));
    const remove: typeof carrier.remove = async (copies) => copies.map(({ key }) => key !== "k1");
    const ended = await carryByQuality("AT_MOST_ONCE", { ...carrier, remove }, loads, now);
    expect(ended.map(({ end }) => end)).toEqual(["carried", "again", "carried"]);
    expect(log.filter((step) => step.startsWith("send"))).toHaveLength(2);
  });
});

/** What happens to one delivery of a copy. */
const deliveries = fc.array(
  fc.record({
    after: fc.constantFrom(0, 1_000, longest + 5_000),
    answer: fc.constantFrom(accepted, refused, silent),
    /** At a target that said nothing. */
    arrives: fc.boolean(),
    removed: fc.boolean(),
    diesAfter: fc.constantFrom(undefined, "claim", "delete", "send", "settle"),
  }),
  { maxLength: 6 },
);
type Deliveries = typeof deliveries extends fc.Arbitrary<infer D> ? D : never;

/** Delivers a copy as long as the history goes, even after its delete. Answers how often the target got it, and whether it is still there. */
const live = async (mode: QualityOfService, history: Deliveries) => {
  const audit = memoryAudit<string>();
  const died = new Error("died");
  const seen = { now, arrived: 0, isThere: true };
  for (const [index, { after, answer, arrives, removed, diesAfter }] of history.entries()) {
    seen.now += after;
    const through = async <T>(step: string, result: T | Promise<T>): Promise<T> => {
      await result;
      if (diesAfter === step) throw died;
      return result;
    };
    const carrier: OrderedCarrier<string, Load<string>> = {
      ...carrying({}).carrier,
      audit: {
        ...audit,
        claim: (...args) => through("claim", audit.claim(...args)),
        settle: (...args) => through("settle", audit.settle(...args)),
      },
      attempt: `a${index}`,
      remove: (loads) => {
        if (removed) seen.isThere = false;
        return through(
          "delete",
          loads.map(() => removed),
        );
      },
      handOver: (loads) => {
        if (answer === accepted || (answer === silent && arrives)) seen.arrived += loads.length;
        return through(
          "send",
          loads.map(() => answer),
        );
      },
      park: () => undefined,
    };
    const ended = await carryByQuality(mode, carrier, [{ key: "k", owner: "copy", plan: "target" }], seen.now).catch((error) => {
      if (error !== died) throw error;
    });
    if (ended?.some(({ end }) => end === "carried" || end === "duplicate")) seen.isThere = false;
  }
  return seen;
};

describe("whatever target, source and crashes do", () => {
  test("AT_MOST_ONCE never doubles", async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (history) => {
        expect((await live("AT_MOST_ONCE", history)).arrived).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  test.for(["DUPLICATES_OK", "ONCE_AND_ONLY_ONCE"] as const)("%s never loses", async (mode) => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (history) => {
        const { arrived, isThere } = await live(mode, history);
        expect(arrived > 0 || isThere).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
