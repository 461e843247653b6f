import { describe, expect, test } from "vitest";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import { doorFinder } from "../../functions/doors.ts";
import { readDepthLag, readEnvironment } from "../../functions/environment.ts";
import { lazily } from "../../functions/lazily.ts";
import { sliceOf } from "../support/a-slice.ts";
import { sha256 } from "../support/hash.ts";
import { networkOf, pair } from "../support/simulator/topologies.ts";

const env = {
  AWS_REGION: "us-east-1",
  SPANMQ_NETWORK: "net",
  SPANMQ_BROKER: "us",
  SPANMQ_PLACES: '[{"id":"us","region":"us-east-1","account":"000000000000"}]',
  SPANMQ_TIMEOUT_SECONDS: "60",
};

describe("a function's environment", () => {
  test("is read once, whole", () => {
    const deployed = readEnvironment(env);
    expect(deployed).toMatchObject({ network: "net", broker: "us", timeoutSeconds: 60 });
    expect(deployed.own.brainTable).toBe("spanmq-net-us-sys-brain");
  });

  test.for([
    { rule: "no region", change: { AWS_REGION: "" }, says: /AWS_REGION/ },
    { rule: "no broker", change: { SPANMQ_BROKER: undefined }, says: /deploy the stack again[\s\S]*SPANMQ_BROKER/ },
    { rule: "a broker without a place", change: { SPANMQ_BROKER: "eu" }, says: /SPANMQ_PLACES has no broker eu/ },
    { rule: "places that are no JSON", change: { SPANMQ_PLACES: "us" }, says: /deploy the stack again[\s\S]*no JSON[\s\S]*SPANMQ_PLACES/ },
    {
      rule: "a place without region",
      change: { SPANMQ_PLACES: '[{"id":"us"}]' },
      says: /deploy the stack again[\s\S]*SPANMQ_PLACES\[0\]\.region/,
    },
    { rule: "a time-out that is no number", change: { SPANMQ_TIMEOUT_SECONDS: "soon" }, says: /SPANMQ_TIMEOUT_SECONDS/ },
  ])("with $rule says so by name", ({ change, says }) => {
    expect(() => readEnvironment({ ...env, ...change })).toThrow(says);
  });

  test.for([
    { rule: "a minute", seconds: "60", ms: 60_000 },
    { rule: "nothing on an emulator", seconds: "0", ms: 0 },
  ])("says how far SQS's figures may lag: $rule", ({ seconds, ms }) => {
    expect(readDepthLag({ SPANMQ_DEPTH_LAG_SECONDS: seconds })).toBe(ms);
  });

  test.for([{ SPANMQ_DEPTH_LAG_SECONDS: "-1" }, { SPANMQ_DEPTH_LAG_SECONDS: "soon" }, {}])("a lag that is none is named: %o", (given) => {
    expect(() => readDepthLag(given)).toThrow(/deploy the stack again[\s\S]*SPANMQ_DEPTH_LAG_SECONDS/);
  });

  test.for(["dispatch", "control", "deployment", "transfer"])(
    "%s can't be created without a region, and says what to set",
    async (name) => {
      const { create } = await import(`../../functions/${name}.entry.ts`);
      await expect(create({})).rejects.toThrow("set AWS_REGION");
    },
  );
});

describe("the door that a queue is", () => {
  const slice = sliceOf(networkOf(pair), "a");
  const where = whereaboutsOf(slice, sha256);
  const doorOf = doorFinder(
    { broker: async () => ({ slice, version: 1, keys: [], peerKeys: {} }), read: async () => new Map() },
    async () => where,
  );
  const toUs = slice.connectors.find(({ to }) => to === "a");
  const toThem = slice.connectors.find(({ to }) => to === "b");

  test("ingress, or the inbound of a link that ends here", async () => {
    expect(await doorOf(where.own.queueArn(where.own.ingressQueue))).toEqual({ door: "ingress" });
    expect(await doorOf(where.inbound(toUs?.link as never)?.arn ?? "")).toEqual({ door: "inbound", link: toUs?.link });
  });

  test("that keeps order is the same door; what FIFO topics carry comes by the feed", async () => {
    const fifo = sliceOf(networkOf(pair, {}, { brokers: { a: { topics: ["prices.fifo"] } } }), "a");
    const broker = async () => ({ slice: fifo, version: 1, keys: [], peerKeys: {} });
    const ordered = doorFinder({ broker, read: async () => new Map() }, async () => whereaboutsOf(fifo, sha256));
    const { own } = where;
    expect(await ordered(own.queueArn(own.ingressFifoQueue))).toEqual({ door: "ingress" });
    expect(await ordered(own.queueArn(own.feedQueue(true)))).toEqual({ door: "feed" });
    expect(await ordered(where.inbound(toUs?.link as never, true)?.arn ?? "")).toEqual({ door: "inbound", link: toUs?.link });
  });

  test.for([
    { rule: "a queue that is no door", arn: where.own.queueArn(where.own.controlQueue) },
    { rule: "an ordered way that its link doesn't have", arn: where.inbound(toUs?.link as never, true)?.arn ?? "" },
    { rule: "the inbound of a link that ends elsewhere", arn: where.inbound(toThem?.link as never)?.arn ?? "" },
  ])("$rule is refused with what may have happened", async ({ arn }) => {
    await expect(doorOf(arn)).rejects.toThrow(`${arn} is no door of broker a: its connector left the configuration`);
  });
});

describe("something made at its first use", () => {
  test("is kept; a failed attempt is made again", async () => {
    let attempts = 0;
    const made = lazily(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("not yet");
      return attempts;
    });
    await expect(made()).rejects.toThrow("not yet");
    expect([await made(), await made()]).toEqual([2, 2]);
  });
});
