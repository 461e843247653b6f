import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import { consumerSpec, startConsumer } from "../../client/consumer.ts";
import { SpanMqError } from "../../client/index.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { connectionId } from "../../core/ids.ts";
import { sqsSays } from "../aws/fixtures.ts";
import { sliceOf } from "../support/a-slice.ts";
import { sha256 } from "../support/hash.ts";
import { networkOf, pair } from "../support/simulator/topologies.ts";
import { stubbed } from "../support/stub.ts";

/** Consumes a queue that is there, or isn't, at each of these seconds. Answers what the application was told at which of them. */
const consuming = async (polls: readonly (readonly ["there" | "missing", number])[]) => {
  const slice = sliceOf(networkOf(pair), "a");
  const told: (readonly [Error, number])[] = [];
  const left = [...polls];
  let now = 0;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const sqs = stubbed(new SQSClient({ region: "us-east-1", md5: false }), () => {
    const [state, seconds] = left.shift() ?? ["over", now / 1_000];
    now = 1_000 * seconds;
    if (state === "over") end();
    if (state === "missing") throw sqsSays("QueueDoesNotExist");
    return { Messages: [] };
  });
  const running = startConsumer(
    {
      ...{ id: connectionId("c"), slice, where: whereaboutsOf(slice, sha256), verify: () => "valid", sqs, polls: sqs },
      onProblem: (problem) => void told.push([problem, now / 1_000]),
    },
    consumerSpec("c1", destinationOf("queue://old"), {}),
    () => {},
    () => now,
  );
  await over;
  await running.stop();
  return told;
};

test("a consumer whose queue has been removed is told once, by what it can mend, and again only after the queue was there", async () => {
  const away = [0, 60, 200].map((seconds) => ["missing", seconds] as const);
  const told = await consuming([["there", 0], ...away, ["there", 300], ["missing", 310], ["missing", 400]]);
  expect(told.map(([, seconds]) => seconds)).toEqual([60, 400]);
  expect(told[0]?.[0]).toBeInstanceOf(SpanMqError);
  expect(told[0]?.[0].message).toMatch(/^queue:\/\/old has no queue at broker a \(.*-q-old.*\).*close this consumer, or declare/);
});

test("one whose queue isn't made yet is told nothing for a minute", async () => {
  expect(
    await consuming([
      ["missing", 0],
      ["missing", 59],
      ["there", 60],
      ["missing", 61],
    ]),
  ).toEqual([]);
});
