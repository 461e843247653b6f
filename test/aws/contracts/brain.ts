import { describe, expect, test } from "vitest";
import type { DestinationRecord } from "../../../core/broker/records.ts";
import type { OpenBrain } from "../../support/worlds/tables.ts";

const record = (name: string, madeAt = 0): DestinationRecord => ({ destination: { kind: "queue", name }, owner: "auto", madeAt });
const a = record("a");

export const brainContract = (name: string, open: OpenBrain) =>
  describe(`${name} keeps the contract of the brain`, () => {
    test("what was never written reads as nothing", async () => {
      const brain = await open();
      expect(await brain.read("destination", "", "a")).toBeUndefined();
      expect(await brain.list("destination", "")).toEqual([]);
    });

    test("what was written reads as it was, absent fields absent", async () => {
      const brain = await open();
      const revision = await brain.write("destination", "", "a", a, 0);
      expect(revision).toBeGreaterThan(0);
      expect(await brain.read("destination", "", "a")).toStrictEqual({ id: "a", value: a, revision });
    });

    test("nobody who holds a value can change what is kept", async () => {
      const brain = await open();
      const owned = { ...a, destination: { ...a.destination } };
      await brain.write("destination", "", "a", owned, 0);
      owned.destination.name = "changed";
      expect((await brain.read("destination", "", "a"))?.value).toEqual(a);
    });

    test("a first write is refused where the record exists", async () => {
      const brain = await open();
      await brain.write("destination", "", "a", a, 0);
      expect(await brain.write("destination", "", "a", record("a", 1), 0)).toBe("moved");
      expect((await brain.read("destination", "", "a"))?.value).toEqual(a);
    });

    test("a write by a current revision lands and makes a higher one, a write by an older is refused", async () => {
      const brain = await open();
      await brain.write("destination", "", "a", a, 0);
      const first = (await brain.read("destination", "", "a"))?.revision ?? 0;
      const written = await brain.write("destination", "", "a", record("a", 1), first);
      expect(await brain.write("destination", "", "a", record("a", 2), first)).toBe("moved");
      const second = await brain.read("destination", "", "a");
      expect(second?.value.madeAt).toBe(1);
      expect(second?.revision).toBeGreaterThan(first);
      expect(written).toBe(second?.revision);
    });

    test("a write by a revision is refused where the record is gone", async () => {
      const brain = await open();
      expect(await brain.write("destination", "", "a", a, 7)).toBe("moved");
      expect(await brain.read("destination", "", "a")).toBeUndefined();
    });

    test("of writers who judged by the same revision exactly one lands", async () => {
      const brain = await open();
      const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => brain.write("destination", "", "a", record("a", i), 0)));
      expect(answers.filter((answer) => answer !== "moved")).toHaveLength(1);
      const { value, revision } = (await brain.read("destination", "", "a")) ?? {};
      expect(value?.madeAt).toBe(answers.indexOf(revision ?? 0));
    });

    test("a removed record leaves nothing, and removing it again is fine", async () => {
      const brain = await open();
      await brain.write("destination", "", "a", a, 0);
      const { revision = 0 } = (await brain.read("destination", "", "a")) ?? {};
      expect(await brain.write("destination", "", "a", undefined, revision)).toBe(0);
      expect(await brain.read("destination", "", "a")).toBeUndefined();
      expect(await brain.list("destination", "")).toEqual([]);
      expect(await brain.write("destination", "", "a", undefined, revision)).toBe(0);
    });

    test("a removal by an older revision is refused", async () => {
      const brain = await open();
      await brain.write("destination", "", "a", a, 0);
      const { revision = 0 } = (await brain.read("destination", "", "a")) ?? {};
      await brain.write("destination", "", "a", record("a", 1), revision);
      expect(await brain.write("destination", "", "a", undefined, revision)).toBe("moved");
      expect((await brain.read("destination", "", "a"))?.value.madeAt).toBe(1);
    });

    test("a record that was removed and made again is another one: who judged by the old one is refused", async () => {
      const brain = await open();
      await brain.write("destination", "", "a", a, 0);
      const { revision = 0 } = (await brain.read("destination", "", "a")) ?? {};
      await brain.write("destination", "", "a", undefined, revision);
      await brain.write("destination", "", "a", record("a", 1), 0);
      expect(await brain.write("destination", "", "a", record("a", 2), revision)).toBe("moved");
      expect((await brain.read("destination", "", "a"))?.revision).toBeGreaterThan(revision);
    });

    test("a list holds its own kind and scope, ordered by id, and nothing else", async () => {
      const brain = await open();
      const names = ["b", "a", "a#b", "a|c"];
      for (const id of names) await brain.write("destination", "x", id, record(id), 0);
      await brain.write("destination", "", "other", record("other"), 0);
      await brain.write("destination", "x#y", "other", record("other"), 0);
      await brain.write("effective", "x", "other", { link: "us:l" as never, version: 1 }, 0);
      await brain.add("destination#x", 1);
      expect((await brain.list("destination", "x")).map(({ id }) => id)).toEqual(["a", "a#b", "a|c", "b"]);
    });

    test("a list longer than a page is whole", async () => {
      const brain = await open();
      const padded = record("x".repeat(200_000));
      const ids = Array.from({ length: 12 }, (_, i) => `${i + 10}`);
      for (const id of ids) await brain.write("destination", "", id, padded, 0);
      expect((await brain.list("destination", "")).map(({ id }) => id)).toEqual(ids);
    });
  });
