import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFifoName } from "../../../core/destination/fifo.ts";
import { decodePhysicalName, idsLimit, type PhysicalKind, physicalName } from "../../../core/destination/physical-name.ts";
import { brokerId } from "../../../core/ids.ts";
import { sha256 } from "../../support/hash.ts";

const us = brokerId("us");
const queueName = (name: string) => physicalName("orders", us, "q", name, sha256);

const kinds = fc.constantFrom<PhysicalKind>("sys", "q", "t", "s", "in", "tmp");
const stems = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 120 }),
  fc.string({ unit: fc.constantFrom("a", "_", "-", ".", "h", "x", "2", "e"), minLength: 1, maxLength: 90 }),
);
const names = fc.tuple(stems, fc.constantFrom("", ".fifo", "-fifo")).map(([stem, end]) => stem + end);
const options = fc.record({ limit: fc.constantFrom<80 | 256>(80, 256) });
const ids = fc
  .tuple(fc.stringMatching(/^[a-z0-9]{1,39}$/), fc.stringMatching(/^[a-z0-9]{1,39}$/))
  .filter(([network, broker]) => network.length + broker.length <= idsLimit);

describe("physical names", () => {
  test.for([
    { rule: "dots become dashes", name: "orders.new", expected: "spanmq-orders-us-q-orders-new" },
    { rule: "a dash is told from a dot", name: "orders-new", expected: "spanmq-orders-us-q-orders_-new" },
    { rule: "an underscore is doubled", name: "orders_new", expected: "spanmq-orders-us-q-orders__new" },
    { rule: "anything else is its code", name: "$a/b", expected: "spanmq-orders-us-q-_x24_a_x2f_b" },
    { rule: "a FIFO destination's name ends as AWS wants it", name: "orders.fifo", expected: "spanmq-orders-us-q-orders.fifo" },
    { rule: "`.fifo` alone is a name like any other", name: ".fifo", expected: "spanmq-orders-us-q--fifo" },
    { rule: "a character beyond 16 bits is two codes", name: "😀", expected: "spanmq-orders-us-q-_xd83d__xde00_" },
  ])("$rule", ({ name, expected }) => {
    expect(queueName(name)).toBe(expected);
  });

  test("C27: names that differ in a dot, a dash, case or after 80 characters are different queues", () => {
    const long = "x".repeat(80);
    const all = ["A.B", "A_B", "A-B", "a.b", `${long}${"y".repeat(40)}`, `${long}${"z".repeat(40)}`];
    expect(new Set(all.map(queueName)).size).toBe(all.length);
  });

  test("the hash of a long name never begins inside an escape", () => {
    const name = physicalName("orders", us, "q", `${"a".repeat(38)}_${"b".repeat(60)}`, sha256);
    expect(name).toMatch(/^spanmq-orders-us-q-a{38}_h[0-9a-f]{20}$/);
  });

  test("every name is one that AWS takes, within its limit, .fifo included", () => {
    fc.assert(
      fc.property(ids, kinds, names, options, ([network, broker], kind, name, { limit }) => {
        const physical = physicalName(network, brokerId(broker), kind, name, sha256, { limit });
        expect(physical.length).toBeLessThanOrEqual(limit);
        expect(physical).toMatch(isFifoName(name) ? /^[A-Za-z0-9_-]+\.fifo$/ : /^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  test("no two names share a physical name", () => {
    fc.assert(
      fc.property(kinds, names, names, options, (kind, one, other, option) => {
        fc.pre(one !== other);
        expect(physicalName("n", us, kind, one, sha256, option)).not.toBe(physicalName("n", us, kind, other, sha256, option));
      }),
    );
  });

  test("a name reads back as what it was made of, unless it was hashed", () => {
    fc.assert(
      fc.property(ids, kinds, names, options, ([network, broker], kind, name, option) => {
        const physical = physicalName(network, brokerId(broker), kind, name, sha256, option);
        const decoded = decodePhysicalName(physical);
        expect(decoded).toEqual(
          /_h[0-9a-f]{20}(\.fifo)?$/.test(physical) && decoded === undefined ? undefined : { network, broker, kind, name },
        );
      }),
    );
  });

  test("short names read back, reserved ones included", () => {
    for (const name of ["__proto__", "constructor", "sys", "sys-brain", "q", "x.fifo", "_h00000000000000000000", "_x24_"]) {
      expect(decodePhysicalName(queueName(name))?.name).toBe(name);
    }
  });

  test.for([
    { rule: "of somebody else", text: "orders-new" },
    { rule: "with an unknown kind", text: "spanmq-orders-us-z-a" },
    { rule: "without a name", text: "spanmq-orders-us-q-" },
    { rule: "that we would write another way", text: "spanmq-orders-us-q-_x61_" },
    { rule: "whose ending we would keep", text: "spanmq-orders-us-q-a-fifo" },
    { rule: "with an escape cut off", text: "spanmq-orders-us-q-a_" },
    { rule: "that was hashed", text: queueName("x".repeat(100)) },
  ])("a name $rule stands for nothing", ({ text }) => {
    expect(decodePhysicalName(text)).toBeUndefined();
  });
});
