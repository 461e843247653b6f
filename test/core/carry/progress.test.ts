import { describe, expect, test } from "vitest";
import { type Carrier, carry, type Load } from "../../../core/carry/carry.ts";
import { joinParts, type LoadAnswer } from "../../../core/carry/progress.ts";
import type { HandOverAnswer } from "../../../core/ports.ts";
import { loggedAudit } from "../../support/logged-audit.ts";
import { memoryAudit } from "../../support/memory/audit.ts";

const accepted: HandOverAnswer = { answer: "accepted" };
const silent: HandOverAnswer = { answer: "silent", why: "no answer in 3 s" };
const refused: HandOverAnswer = { answer: "refused", cause: "denied", why: "denied" };
const gone: HandOverAnswer = { answer: "refused", cause: "missing", why: "no such queue" };

type Plan = readonly string[];
const part = (target: string, answer: HandOverAnswer) => ({ target, answer, done: answer === accepted || answer === gone });
const joined = (...parts: ReturnType<typeof part>[]) => joinParts(parts, (left): Plan => left);

describe("several targets' answers", () => {
  test.for([
    { rule: "all accepted: accepted", parts: [part("x", accepted), part("y", accepted)], expected: accepted },
    { rule: "one needs nothing any more: accepted", parts: [part("x", gone), part("y", accepted)], expected: accepted },
    { rule: "all refused: refused, and nobody has anything", parts: [part("x", refused), part("y", refused)], expected: refused },
    { rule: "a silence among refusals proves nothing", parts: [part("x", refused), part("y", silent)], expected: silent },
    {
      rule: "some accepted: what is left is for the others",
      parts: [part("x", refused), part("y", accepted), part("z", silent)],
      expected: { answer: "partly", left: ["x", "z"], why: "no answer in 3 s" },
    },
  ])("$rule", ({ parts, expected }) => {
    expect(joined(...parts)).toEqual(expected);
  });
});

/** Carries one load to x, y and z, that answer as they are told, call after call. */
const carrying = () => {
  const audit = memoryAudit<Plan>();
  const log: string[] = [];
  const answers = new Map<string, HandOverAnswer>();
  const carrier: Carrier<Plan, Load<Plan>> = {
    audit: loggedAudit(audit, log),
    attempt: "first",
    longest: 60_000,
    handOver: async (loads) =>
      loads.map(({ plan }): LoadAnswer<Plan> => {
        log.push(`hand over to ${plan.join()}`);
        return joined(...plan.map((target) => part(target, answers.get(target) ?? accepted)));
      }),
    withPlan: (load, plan) => ({ ...load, plan }),
    chooseAnew: () => undefined,
    park: () => undefined,
    accepted: async () => {},
  };
  const run = async (attempt: string, now: number) => {
    const [result] = await carry({ ...carrier, attempt }, [{ key: "k", owner: attempt, plan: ["x", "y", "z"] }], now);
    return result?.end;
  };
  return { run, log, answers, audit };
};

describe("a load with several targets", () => {
  test("is one claim and one settle when all accept", async () => {
    const { run, log } = carrying();
    expect(await run("first", 0)).toBe("carried");
    expect(log).toEqual(["claim", "hand over to x,y,z", "settle"]);
  });

  test("goes only to the rest of them next time, at once, by one further write", async () => {
    const { run, log, answers, audit } = carrying();
    answers.set("y", silent);
    expect(await run("first", 0)).toBe("again");
    expect(audit.records.get("k")).toMatchObject({ state: "open", plan: ["y"] });
    answers.clear();
    expect(await run("second", 1)).toBe("carried");
    expect(await run("third", 2)).toBe("duplicate");
    expect(log).toEqual([...["claim", "hand over to x,y,z", "progress"], ...["claim", "take over", "hand over to y", "settle"], "claim"]);
  });

  test("is noted further with each attempt that gets somewhere", async () => {
    const { run, answers, audit } = carrying();
    answers.set("y", refused).set("z", silent);
    await run("first", 0);
    answers.delete("y");
    expect(await run("second", 1)).toBe("again");
    expect(audit.records.get("k")).toMatchObject({ state: "open", plan: ["z"] });
  });

  test("is left whole to a claim's age where nobody took it, and one said nothing", async () => {
    const { run, answers, audit } = carrying();
    for (const target of "xyz") answers.set(target, silent);
    expect(await run("first", 0)).toBe("again");
    expect(audit.records.get("k")).toMatchObject({ state: "claimed", plan: ["x", "y", "z"] });
    expect(await run("second", 1)).toBe("in-progress");
  });

  test("is free to be planned anew where all refused", async () => {
    const { run, answers, audit } = carrying();
    for (const target of "xyz") answers.set(target, refused);
    expect(await run("first", 0)).toBe("again");
    expect(audit.records.get("k")).toBeUndefined();
  });
});
