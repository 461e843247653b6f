import { describe, expect, test } from "vitest";
import { memoryAudit } from "../../../aws/memory-audit.ts";
import { auditOnly, unaudited } from "../../../core/carry/unaudited.ts";
import { loggedAudit } from "../../support/logged-audit.ts";

const claimOf = (key: string) => ({ key, attempt: "a", owner: "copy", plan: "queue" });

describe("an audit of some keys only", () => {
  const keeping = () => {
    const log: string[] = [];
    const audit = memoryAudit<string>();
    return { records: audit.records, log, some: auditOnly(loggedAudit(audit, log), (key) => key.startsWith("kept")) };
  };

  test("answers in the order of the claims, and remembers those of its keys", async () => {
    const { some, records } = keeping();
    await some.claim([claimOf("kept 1")], 0);
    const answers = await some.claim(["free", "kept 1", "free", "kept 2"].map(claimOf), 1);
    expect(answers.map(({ answer }) => answer)).toEqual(["granted", "found", "granted", "granted"]);
    expect([...records.keys()]).toEqual(["kept 1", "kept 2"]);
  });

  test("settles what it remembers; of the others there is nothing to tell", async () => {
    const { some, records } = keeping();
    await some.claim([claimOf("kept"), claimOf("free")], 0);
    expect(await some.settle(["free", "kept"].map(claimOf), 1)).toEqual(["settled", "settled"]);
    expect(records.get("kept")?.state).toBe("done");
    expect(records.has("free")).toBe(false);
  });

  test("releases what it remembers; the others stand nowhere", async () => {
    const { some, records } = keeping();
    await some.claim([claimOf("kept"), claimOf("free")], 0);
    expect(await some.release(["free", "kept"].map(claimOf))).toEqual(["released", "released"]);
    expect(records.size).toBe(0);
  });

  test("calls nobody for the others", async () => {
    const { some, log } = keeping();
    const free = [claimOf("free")];
    await some.claim(free, 0);
    await some.settle(free, 1);
    await some.release(free);
    await some.progress([{ ...claimOf("free"), left: "queue" }]);
    expect(log).toEqual([]);
  });
});

test("no audit at all grants each claim as often as it comes", async () => {
  const none = unaudited<string>();
  const twice = [await none.claim([claimOf("k")], 0), await none.claim([claimOf("k")], 0)];
  expect(twice).toEqual([[{ answer: "granted" }], [{ answer: "granted" }]]);
});
