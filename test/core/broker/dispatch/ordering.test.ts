import { describe, expect, test } from "vitest";
import { orderAt, orderOfParked } from "../../../../core/broker/dispatch/ordering.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { sharedGroupOf } from "../../../../core/message/group.ts";
import type { Target } from "../../../../core/routing/plan.ts";
import { aMessage } from "../../../support/a-message.ts";
import { sha256 } from "../../../support/hash.ts";

const orders = destinationOf("queue://orders.fifo");
const link = linkId(brokerId("a"), "to-b");
const message = aMessage({ destination: orders, groupId: "g" });
const shared = sharedGroupOf(message, sha256);
const at = (target: Target, key = "key") => orderAt(target, message, key, sha256).order;

describe("the order of a hand-over", () => {
  test.for<{ readonly rule: string; readonly target: Target; readonly group: string | undefined }>([
    { rule: "to a FIFO queue is by group", target: { to: "queue", destination: orders }, group: "g" },
    { rule: "to a FIFO topic, too", target: { to: "topic", destination: destinationOf("topic://prices.fifo") }, group: "g" },
    { rule: "and to a consumer's own FIFO queue", target: { to: "private", queue: "conn.c1.fifo" }, group: "g" },
    { rule: "over a link is by destination and group", target: { to: "link", link, fifo: true }, group: shared },
    { rule: "to the link's shelter likewise", target: { to: "undelivered", link, fifo: true }, group: shared },
    { rule: "to a standard queue is none", target: { to: "queue", destination: destinationOf("queue://orders") }, group: undefined },
    { rule: "to a pattern's queue is none", target: { to: "private", queue: "conn.c1" }, group: undefined },
    { rule: "over a link's other way is none", target: { to: "link", link }, group: undefined },
    { rule: "to the dead letters is none", target: { to: "dead-letters" }, group: undefined },
  ])("$rule", ({ target, group }) => {
    expect(at(target)?.group).toBe(group);
  });

  test("has one deduplication id for each claim and target, the same whenever it is repeated", () => {
    const targets: Target[] = [
      { to: "queue", destination: orders },
      { to: "private", queue: "conn.c1.fifo" },
      { to: "link", link, fifo: true },
      { to: "undelivered", link, fifo: true },
    ];
    const ids = targets.flatMap((target) => ["key", "other"].map((key) => at(target, key)?.deduplicationId));
    expect(new Set(ids).size).toBe(8);
    expect(targets.flatMap((target) => ["key", "other"].map((key) => at(target, key)?.deduplicationId))).toEqual(ids);
  });

  test("of a parked copy is that of the place where it waited, and its id is new to the link", () => {
    const parked = orderOfParked(shared, "copy-1", link, sha256).order;
    expect(parked?.group).toBe(shared);
    expect(parked?.deduplicationId).not.toBe(at({ to: "link", link, fifo: true })?.deduplicationId);
    expect(orderOfParked(undefined, "copy-1", link, sha256)).toEqual({});
  });
});
