import { describe, expect, test } from "vitest";
import type { Audit, Claim, ClaimAnswer } from "../../../core/carry/audit.ts";
import { type ClaimRecord, judgeClaim } from "../../../core/carry/claim.ts";

export type OpenAudit = () => Promise<Audit<object>>;

const start = Date.UTC(2026, 0, 1);
const longest = 60_000;
const aged = start + longest + 5_000;
const window = 15 * 86_400_000;
const toEu = { plan: "hand-over", target: { to: "link", link: "us:eu" }, destination: { kind: "queue", name: "orders" } };
const toRest = { plan: "rest", destination: { kind: "queue", name: "orders" } };

const aClaim = (claim: Partial<Claim<object>> = {}): Claim<object> => ({
  key: "ingress|queue://orders|0|m1",
  owner: "copy1",
  attempt: "first",
  plan: toEu,
  ...claim,
});
const [first, second, third] = [aClaim(), aClaim({ attempt: "second", owner: "copy2" }), aClaim({ attempt: "third", owner: "copy3" })];

/** What a carrier makes of the answer. A claim may be `ours` by a repeated call: a store that lost its own answer can't tell. */
const judged = (answer: ClaimAnswer<object> | undefined, attempt: string, now: number): string => {
  if (answer?.answer === "granted") return "ours";
  return answer?.answer === "found" ? judgeClaim(answer.record, { attempt }, now, longest).verdict : String(answer?.answer);
};

const trying = async (audit: Audit<object>, claim: Claim<object>, now: number): Promise<string> =>
  judged((await audit.claim([claim], now))[0], claim.attempt, now);

const found = async (audit: Audit<object>, now = start): Promise<ClaimRecord<object>> => {
  const [answer] = await audit.claim([aClaim({ attempt: "looking" })], now);
  if (answer?.answer !== "found") throw new Error(`a claim was to be found, not ${answer?.answer}`);
  return answer.record;
};

export const auditContract = (name: string, open: OpenAudit) =>
  describe(`${name} keeps the contract of the audit`, () => {
    test("a free key is granted, and is found as it was claimed by whoever comes later", async () => {
      const audit = await open();
      expect(await trying(audit, first, start)).toBe("ours");
      expect(await found(audit)).toStrictEqual({ owner: "copy1", attempt: "first", claimedAt: start, plan: toEu, state: "claimed" });
    });

    test("nobody who holds a plan can change what is kept", async () => {
      const audit = await open();
      const plan = { plan: "rest" };
      await audit.claim([aClaim({ plan })], start);
      plan.plan = "changed";
      expect((await found(audit)).plan).toEqual({ plan: "rest" });
    });

    test("a young claim is left to its owner, an old one is for taking", async () => {
      const audit = await open();
      await audit.claim([first], start);
      expect(await trying(audit, second, start)).toBe("give-back");
      expect(await trying(audit, second, aged - 1)).toBe("give-back");
      expect(await trying(audit, second, aged)).toBe("take-over");
    });

    test("our own call, repeated, is ours", async () => {
      const audit = await open();
      await audit.claim([first], start);
      expect(await trying(audit, first, start)).toBe("ours");
    });

    test("keys don't know of each other, and answers come in the order of the claims", async () => {
      const audit = await open();
      await audit.claim([aClaim({ key: "k1" }), aClaim({ key: "k3" })], start);
      const keys = ["k0", "k1", "k2", "k3"];
      const answers = await audit.claim(
        keys.map((key) => aClaim({ key, attempt: "second" })),
        start,
      );
      expect(answers.map((answer) => judged(answer, "second", start))).toEqual(["ours", "give-back", "ours", "give-back"]);
    });

    test("of ten that claim at once one is granted", async () => {
      const audit = await open();
      const attempts = Array.from({ length: 10 }, (_, i) => aClaim({ attempt: `a${i}` }));
      const verdicts = await Promise.all(attempts.map((claim) => trying(audit, claim, start)));
      expect(verdicts.toSorted()).toEqual([...Array<string>(9).fill("give-back"), "ours"]);
    });

    test("what was taken over is the taker's, from then on, with the plan it had", async () => {
      const audit = await open();
      await audit.claim([first], start);
      expect(await audit.takeOver({ ...second, plan: toRest }, await found(audit), aged)).toBe("granted");
      expect(await found(audit)).toStrictEqual({ owner: "copy2", attempt: "second", claimedAt: aged, plan: toEu, state: "claimed" });
    });

    test("of ten that take over what they all found one gets it", async () => {
      const audit = await open();
      await audit.claim([first], start);
      const record = await found(audit);
      const takers = Array.from({ length: 10 }, (_, i) => aClaim({ attempt: `t${i}` }));
      const answers = await Promise.all(takers.map((claim) => audit.takeOver(claim, record, aged)));
      expect(answers.filter((answer) => answer === "granted")).toHaveLength(1);
      expect((await found(audit)).attempt).toBe(`t${answers.indexOf("granted")}`);
    });

    test("what was taken over since it was found, settled or released, isn't taken", async () => {
      const audit = await open();
      await audit.claim([first], start);
      const record = await found(audit);
      await audit.takeOver(second, record, aged);
      expect(await audit.takeOver(third, record, aged)).toBe("lost");

      const taken = await found(audit);
      await audit.settle([second], aged);
      expect(await audit.takeOver(third, taken, 2 * aged)).toBe("lost");
      expect(await found(audit)).toMatchObject({ state: "done" });

      const another = { ...first, key: "another" };
      await audit.claim([another], start);
      await audit.release([another]);
      expect(await audit.takeOver({ ...third, key: "another" }, { ...record, claimedAt: start }, aged)).toBe("lost");
      expect(await trying(audit, { ...third, key: "another" }, aged)).toBe("ours");
    });

    test("a claim that the same attempt made anew since it was found isn't taken", async () => {
      const audit = await open();
      await audit.claim([first], start);
      const record = await found(audit);
      await audit.release([first]);
      await audit.claim([first], aged);
      expect(await audit.takeOver(second, record, aged)).toBe("lost");
      expect(await found(audit)).toMatchObject({ attempt: "first", claimedAt: aged });
    });

    test("what is settled is dropped by everybody, its carrier included", async () => {
      const audit = await open();
      await audit.claim([first], start);
      expect(await audit.settle([first], start)).toEqual(["settled"]);
      expect(await trying(audit, first, start)).toBe("drop");
      expect(await trying(audit, second, aged)).toBe("drop");
    });

    test("whoever settles says that the target has it: it is done, again and again, though the claim be another's or nobody's by now", async () => {
      const audit = await open();
      const [taken, none] = [aClaim({ key: "taken" }), aClaim({ key: "none" })];
      await audit.claim([first, { ...taken, attempt: "somebody" }], start);
      expect(await audit.settle([first, taken, none, first], start)).toEqual(Array(4).fill("settled"));
      expect(await audit.settle([first], start)).toEqual(["settled"]);
      for (const { key } of [first, taken, none]) expect(await trying(audit, aClaim({ key, attempt: "second" }), start)).toBe("drop");
    });

    test("many settle at once", async () => {
      const audit = await open();
      const many = Array.from({ length: 60 }, (_, i) => aClaim({ key: `k${i}` }));
      await audit.claim(many, start);
      expect(await audit.settle(many, start)).toEqual(Array(60).fill("settled"));
      const answers = await audit.claim(many, start);
      expect(answers.map((answer) => judged(answer, "first", start))).toEqual(Array(60).fill("drop"));
    });

    test("whoever lost a claim to a taker can't release it", async () => {
      const audit = await open();
      await audit.claim([first], start);
      await audit.takeOver(second, await found(audit), aged);
      expect(await audit.release([first])).toEqual(["released"]);
      expect(await found(audit)).toMatchObject({ attempt: "second", state: "claimed" });
    });

    test("what is released is free at once, for another plan", async () => {
      const audit = await open();
      await audit.claim([first], start);
      expect(await audit.release([first])).toEqual(["released"]);
      expect(await audit.release([first])).toEqual(["released"]);
      expect(await trying(audit, { ...second, plan: toRest }, start)).toBe("ours");
      expect(await found(audit)).toMatchObject({ attempt: "second", plan: toRest });
    });

    test("nothing releases what is done", async () => {
      const audit = await open();
      await audit.claim([first], start);
      await audit.settle([first], start);
      await audit.release([first]);
      expect(await trying(audit, second, aged)).toBe("drop");
    });

    test("C16 what is remembered for long enough counts as forgotten, wherever the row still stands", async () => {
      const audit = await open();
      await audit.claim([first], start);
      await audit.settle([first], start);
      expect(await trying(audit, second, start + window - 1_000)).toBe("drop");
      expect(await trying(audit, second, start + window)).toBe("ours");
      expect(await found(audit, start + window)).toMatchObject({ attempt: "second", claimedAt: start + window, state: "claimed" });
    });

    test("of ten that find a forgotten claim one is granted", async () => {
      const audit = await open();
      await audit.claim([first], start);
      const attempts = Array.from({ length: 10 }, (_, i) => aClaim({ attempt: `a${i}` }));
      const verdicts = await Promise.all(attempts.map((claim) => trying(audit, claim, start + window)));
      expect(verdicts.toSorted()).toEqual([...Array<string>(9).fill("give-back"), "ours"]);
    });

    test("what was taken over is remembered from then on", async () => {
      const audit = await open();
      await audit.claim([first], start);
      await audit.takeOver(second, await found(audit), aged);
      await audit.settle([second], aged);
      expect(await trying(audit, third, start + window)).toBe("drop");
    });

    test("a key may be as long as it likes, in whatever script", async () => {
      const audit = await open();
      const [one, other] = [`${"ключ".repeat(2_000)}a`, `${"ключ".repeat(2_000)}b`].map((key) => aClaim({ key }));
      if (!one || !other) throw new Error("two claims");
      expect(await trying(audit, one, start)).toBe("ours");
      expect(await trying(audit, other, start)).toBe("ours");
      expect(await audit.settle([one], start)).toEqual(["settled"]);
      expect(await trying(audit, { ...one, attempt: "second" }, start)).toBe("drop");
      await audit.release([other]);
      expect(await trying(audit, { ...other, attempt: "second" }, start)).toBe("ours");
    });

    test("what got somewhere is kept with the plan that is left, for whoever comes first", async () => {
      const audit = await open();
      await audit.claim([first], start);
      await audit.progress([{ ...first, left: toRest }]);
      await audit.progress([{ ...first, left: toRest }]);
      const record = await found(audit);
      expect(record).toStrictEqual({ owner: "copy1", attempt: "first", claimedAt: start, plan: toRest, state: "open" });
      expect(await trying(audit, second, start)).toBe("take-over");
      expect(await audit.takeOver(second, record, start)).toBe("granted");
      expect(await audit.takeOver(third, record, start)).toBe("lost");
      expect(await found(audit)).toStrictEqual({ owner: "copy2", attempt: "second", claimedAt: start, plan: toRest, state: "claimed" });
      expect(await audit.settle([second], start)).toEqual(["settled"]);
    });

    test("nobody notes progress of what is another's, or done", async () => {
      const audit = await open();
      await audit.claim([first], start);
      await audit.progress([
        { ...second, left: toRest },
        { ...second, key: "nobody's", left: toRest },
      ]);
      expect(await found(audit)).toMatchObject({ plan: toEu, state: "claimed" });
      await audit.settle([first], start);
      await audit.progress([{ ...first, left: toRest }]);
      expect(await found(audit)).toMatchObject({ state: "done" });
    });

    test("a batch of nothing is nothing", async () => {
      const audit = await open();
      expect(await audit.claim([], start)).toEqual([]);
      expect(await audit.settle([], start)).toEqual([]);
      expect(await audit.release([])).toEqual([]);
    });
  });
