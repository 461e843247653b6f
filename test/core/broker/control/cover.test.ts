import { describe, expect, test } from "vitest";
import { coverOf } from "../../../../core/broker/control/cover.ts";
import type { SubscriptionFilter, SubscriptionRecord } from "../../../../core/broker/records.ts";
import { linkId } from "../../../../core/ids.ts";

const now = 1_000_000;
const covered = now + 20 * 60_000;
const forSelectors = (...selectors: readonly string[]): SubscriptionFilter => ({ selectors, policy: selectors.join(" or ") });
const [x, y, xy] = [forSelectors("x"), forSelectors("y"), forSelectors("x", "y")];

const aRow = (fields: Partial<SubscriptionRecord> = {}): SubscriptionRecord => ({
  topic: "topic://t",
  target: { to: "link", link: linkId("a" as never, "to-b") },
  state: "subscribed",
  arn: "arn:aws:sns:…",
  effectiveAt: 0,
  ...fields,
});

describe("what SNS may hold back while it follows another filter, the feed brings", () => {
  test.for<{ rule: string; row: Partial<SubscriptionRecord>; wanted?: SubscriptionFilter; is: object }>([
    { rule: "nothing, where the filter stays", row: { filter: x }, wanted: x, is: {} },
    { rule: "nothing, where there was none", row: {}, wanted: x, is: {} },
    { rule: "nothing, where less is wanted than before", row: { filter: xy }, wanted: x, is: {} },
    { rule: "what more is wanted", row: { filter: x }, wanted: xy, is: { fedUntil: covered, bySns: ["x"] } },
    { rule: "what is wanted instead", row: { filter: x }, wanted: y, is: { fedUntil: covered, bySns: ["x"] } },
    { rule: "all but what passes the filter that goes", row: { filter: x }, is: { fedUntil: covered, bySns: ["x"] } },
    {
      rule: "all but what passes this filter and an earlier one, where SNS may follow that still",
      row: { filter: xy, fedUntil: now + 1, bySns: ["x"] },
      wanted: forSelectors("z"),
      is: { fedUntil: covered, bySns: ["x"] },
    },
    {
      rule: "that of an earlier change, for as long as it asked for",
      row: { filter: x, fedUntil: now + 1, bySns: [] },
      wanted: x,
      is: { fedUntil: now + 1, bySns: [] },
    },
    {
      rule: "everything, where telling SNS broke off: it may have been told",
      row: { state: "subscribing" },
      is: { fedUntil: covered, bySns: [] },
    },
    { rule: "everything, where a restored table doesn't know", row: { doubtedFrom: 0 }, wanted: x, is: { fedUntil: covered, bySns: [] } },
    { rule: "nothing by a restored table that never knew of one", row: { doubtedFrom: 0 }, is: {} },
    {
      rule: "everything, where who began it may be slow, and tell another filter yet",
      row: { state: "subscribing", filter: x, arn: undefined as never },
      wanted: y,
      is: { fedUntil: covered, bySns: [] },
    },
    { rule: "nothing, where he tells the same", row: { state: "subscribing", filter: x, arn: undefined as never }, wanted: x, is: {} },
    { rule: "nothing, where he tells none", row: { state: "subscribing", arn: undefined as never }, wanted: x, is: {} },
    { rule: "nothing of what ends", row: { state: "removing", filter: x }, wanted: y, is: {} },
  ])("$rule", ({ row, wanted, is }) => {
    expect(coverOf(aRow(row), wanted, now)).toEqual(is);
  });
});
