import { AuthorizationErrorException, FilterPolicyLimitExceededException, SNSClient, SNSServiceException } from "@aws-sdk/client-sns";
import { describe, expect, test } from "vitest";
import { snsSubscriptions } from "../../aws/subscriptions.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { usToEu } from "../support/worlds/world.ts";
import { subscriptionsContract } from "./contracts/subscriptions.ts";
import { prices, snsThat, unused, whereabouts } from "./fixtures.ts";

subscriptionsContract("memory subscriptions", openMemoryWorld);
subscriptionsContract("AWS subscriptions", useEmulatorWorlds());

const anywhere = { region: "us-east-1", maxAttempts: 1, credentials: { accessKeyId: "test", secretAccessKey: "test" } };

const said = { message: "", $metadata: {} };
const denied = new AuthorizationErrorException(said);
const tooMany = new FilterPolicyLimitExceededException(said);
const throttled = new SNSServiceException({ name: "Throttled", $fault: "client", ...said });

describe("subscriptions", () => {
  test("give up before the destination's lease ends, however patient the client is", async () => {
    const signals: unknown[] = [];
    const handle = async (_request: unknown, { abortSignal }: { readonly abortSignal?: unknown } = {}) => {
      signals.push(abortSignal);
      throw new Error("unanswered");
    };
    const sns = new SNSClient({ ...anywhere, requestHandler: { handle } as never });
    const subscriptions = snsSubscriptions({ whereabouts, sns, peerSns: unused });
    await expect(subscriptions.subscribe(prices, { to: "link", link: usToEu })).rejects.toThrow("unanswered");
    await expect(subscriptions.unsubscribe("arn:aws:sns:us-east-1:000000000000:t:1")).rejects.toThrow("unanswered");
    expect(signals).toEqual([expect.any(AbortSignal), expect.any(AbortSignal)]);
  });

  test("wait for the other account's confirmation, and what SNS can't deliver to the link waits in its undelivered queue", async () => {
    const calls: unknown[] = [];
    const sns = snsThat((input) => calls.push(input) && { SubscriptionArn: "pending confirmation" });
    const subscriptions = snsSubscriptions({ whereabouts, sns, peerSns: unused });
    expect(await subscriptions.subscribe(prices, { to: "link", link: usToEu })).toBe("pending");
    expect(calls).toEqual([
      {
        TopicArn: "arn:aws:sns:us-east-1:000000000000:spanmq-net-us-t-prices",
        Protocol: "sqs",
        Endpoint: "arn:aws:sqs:eu-west-1:000000000000:spanmq-net-eu-in-us-us_-eu",
        Attributes: { RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:spanmq-net-us-sys-undelivered-us_-eu"}' },
      },
    ]);
  });

  test("a confirmation goes to the topic's region, and only the topic's owner may undo it", async () => {
    const calls: unknown[] = [];
    const peerSns = (at: string) => snsThat((input) => calls.push(at, input) && {});
    const topicArn = "arn:aws:sns:ap-southeast-2:111111111111:spanmq-net-ap-t-prices";
    await snsSubscriptions({ whereabouts, sns: snsThat(unused), peerSns }).confirm(topicArn, "token");
    expect(calls).toEqual(["ap-southeast-2", { TopicArn: topicArn, Token: "token", AuthenticateOnUnsubscribe: "true" }]);
  });

  test.for([
    { rule: "no filter any more of what isn't ours to change is fine: it never had one", error: denied, policy: undefined, thrown: false },
    { rule: "a filter of it isn't", error: denied, policy: "p", thrown: true },
    { rule: "a filter beyond SNS's quota only saves nothing", error: tooMany, policy: "p", thrown: false },
    { rule: "one that is throttled is told again", error: throttled, policy: "p", thrown: true },
  ])("$rule", async ({ error, policy, thrown }) => {
    const sns = snsThat(() => {
      throw error;
    });
    const telling = snsSubscriptions({ whereabouts, sns, peerSns: unused }).filter("arn:aws:sns:us-east-1:000000000000:t:1", policy);
    await (thrown ? expect(telling).rejects.toBe(error) : expect(telling).resolves.toBeUndefined());
  });

  test.for([
    { rule: "unsubscribing what is gone is fine", code: "NotFound", thrown: false },
    { rule: "a throttled call isn't", code: "Throttled", thrown: true },
  ])("$rule", async ({ code, thrown }) => {
    const sns = snsThat(() => {
      throw new SNSServiceException({ name: code, message: "", $fault: "client", $metadata: {} });
    });
    const ending = snsSubscriptions({ whereabouts, sns, peerSns: unused }).unsubscribe("arn:aws:sns:us-east-1:000000000000:t:1");
    await (thrown ? expect(ending).rejects.toMatchObject({ name: code }) : expect(ending).resolves.toBeUndefined());
  });
});
