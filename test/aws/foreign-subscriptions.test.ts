import { describe, expect, test } from "vitest";
import { snsForeignSubscriptions } from "../../aws/foreign-subscriptions.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { foreignSubscriptionsContract } from "./contracts/foreign-subscriptions.ts";
import { prices, snsThat, whereabouts } from "./fixtures.ts";

foreignSubscriptionsContract("memory subscriptions", openMemoryWorld);
foreignSubscriptionsContract("AWS subscriptions", useEmulatorWorlds());

const arn = (id: string) => `arn:aws:sns:us-east-1:000000000000:spanmq-net-us-t-prices:${id}`;
const listed = (id: string, Endpoint: string) => ({ SubscriptionArn: id, Endpoint });

describe("foreign subscriptions", () => {
  test("are read page by page, as far as they can matter; what isn't confirmed is no subscription", async () => {
    const asked: unknown[] = [];
    const pages = [
      [listed("PendingConfirmation", "someone@example.com"), listed(arn("1"), "https://example.com")],
      [
        listed("Deleted", "arn:aws:sqs:us-east-1:000000000000:old"),
        listed(arn("2"), "arn:aws:lambda:us-east-1:000000000000:function:audit"),
      ],
      [listed(arn("3"), "arn:aws:sqs:us-east-1:000000000000:spanmq-net-us-s-conn-c1-topic")],
    ];
    const sns = snsThat((input) => ({ Subscriptions: pages[asked.push(input) - 1] ?? [], NextToken: `after ${asked.length}` }));
    expect(await snsForeignSubscriptions({ whereabouts, sns }).list(prices)).toEqual([arn("1"), arn("2")]);
    const TopicArn = "arn:aws:sns:us-east-1:000000000000:spanmq-net-us-t-prices";
    expect(asked).toEqual([{ TopicArn }, { TopicArn, NextToken: "after 1" }, { TopicArn, NextToken: "after 2" }]);
  });

  test("that can't be listed aren't none", async () => {
    const sns = snsThat(() => {
      throw new Error("Throttled");
    });
    await expect(snsForeignSubscriptions({ whereabouts, sns }).list(prices)).rejects.toThrow("Throttled");
  });
});
