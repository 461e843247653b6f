import { describe, expect, test } from "vitest";
import { readFacts } from "../../../../core/broker/control/facts.ts";
import { carryOutSubscriptions } from "../../../../core/broker/control/subscribing.ts";
import { newSubscription, subscriptionId } from "../../../../core/broker/control/subscriptions.ts";
import type { SubscriptionRecord } from "../../../../core/broker/records.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { Subscriptions, SubscriptionTarget } from "../../../../core/ports.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

const topic = "topic://prices";
const toB: SubscriptionTarget = { to: "link", link: linkId(brokerId("a"), "to-b") };
const own: SubscriptionTarget = { to: "own-queue", queue: "conn.c1" };

/** The topic's row as it was left, and SNS that writes down what it is asked. */
const found = async (row?: Partial<SubscriptionRecord>, target: SubscriptionTarget = toB) => {
  const { brain, broker } = await controlling();
  if (row) await brain.write("subscription", topic, subscriptionId(target), { ...newSubscription(topic, target), ...row }, 0);
  const calls: string[] = [];
  const sns = {
    subscribe: async () => {
      calls.push("subscribe");
      return { arn: "new" };
    },
    unsubscribe: async (arn: string) => void calls.push(`unsubscribe ${arn}`),
    confirm: async () => {},
  };
  const carryOut = async (wanted: readonly SubscriptionTarget[], subscriptions: Subscriptions = sns) => {
    const facts = await readFacts(brain, sha256, broker, topic, 1_000);
    await carryOutSubscriptions({ brain, subscriptions }, facts, wanted, 1_000);
  };
  const left = async () =>
    (await brain.list("subscription", topic)).map(({ value: { state, arn, effectiveAt } }) => ({ state, arn, effectiveAt }));
  return { carryOut, calls, left, sns };
};
const stands = { state: "subscribed", arn: "new", effectiveAt: 16_000 };

describe("subscriptions are carried out", () => {
  test.for([
    { rule: "a new one, effective after its grace", row: undefined, wanted: [toB], calls: ["subscribe"], left: [stands] },
    { rule: "one that was begun is finished", row: { state: "subscribing" as const }, wanted: [toB], calls: ["subscribe"], left: [stands] },
    {
      rule: "one that was on its way out: the dead arn is unsubscribed once more, so that a late call hits nothing alive",
      row: { state: "removing" as const, arn: "old" },
      wanted: [toB],
      calls: ["unsubscribe old", "subscribe"],
      left: [stands],
    },
    {
      rule: "an unfinished removal is finished",
      row: { state: "removing" as const, arn: "old" },
      wanted: [],
      calls: ["unsubscribe old"],
      left: [],
    },
    { rule: "one that never got its arn is only forgotten", row: { state: "subscribing" as const }, wanted: [], calls: [], left: [] },
  ])("$rule", async ({ row, wanted, calls: expected, left: expectedLeft }) => {
    const { carryOut, calls, left } = await found(row);
    await carryOut(wanted);
    expect([calls, await left()]).toEqual([expected, expectedLeft]);
  });

  test("a client's own goes at once", async () => {
    const { carryOut, calls, left } = await found({ state: "subscribed", arn: "old" }, own);
    await carryOut([]);
    expect([calls, await left()]).toEqual([["unsubscribe old"], []]);
  });

  test("one that the other account has to confirm stays begun", async () => {
    const { carryOut, left, sns } = await found();
    await carryOut([toB], { ...sns, subscribe: async () => "pending" });
    expect(await left()).toMatchObject([{ state: "subscribing" }]);
  });

  test("the row says what is about to happen before it happens: a call that dies leaves something to finish", async () => {
    const { carryOut, left, sns } = await found({ state: "subscribed", arn: "old" }, own);
    await expect(carryOut([], { ...sns, unsubscribe: () => Promise.reject(new Error("died")) })).rejects.toThrow("died");
    expect(await left()).toMatchObject([{ state: "removing", arn: "old" }]);
  });
});
