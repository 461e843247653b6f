import { LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, test } from "vitest";
import { sqsParked, sqsRetryOrders, sqsTakenFrom } from "../../aws/bridge-queues.ts";
import { awsBridgeTargets } from "../../aws/bridge-targets.ts";
import { lambdaEventSource } from "../../aws/event-source.ts";
import { placeOfArn, queueOfArn } from "../../aws/place-of-arn.ts";
import type { RestingCopy } from "../../core/ports.ts";
import { stubbed } from "../support/stub.ts";
import { snsThat, sqsSays, sqsThat, unused } from "./fixtures.ts";

const arn = (name: string) => `arn:aws:sqs:us-east-1:123456789012:${name}`;
const copies = ["a", "b"].map(
  (id) => ({ id, ref: id, receipt: id, body: id, attributes: {}, sentAt: 0, receiveCount: 1 }) satisfies RestingCopy,
);
const url = queueOfArn(arn("q")).url;

describe("a delete at the source", () => {
  test("tells which messages are surely gone", async () => {
    const sqs = sqsThat(() => ({ Successful: [{ Id: "1" }], Failed: [{ Id: "0", Code: "InternalError" }] }));
    expect(await sqsTakenFrom(sqs, url).remove(copies)).toEqual([false, true]);
  });

  test("that got no answer proves nothing", async () => {
    const sqs = sqsThat(() => {
      throw new Error("timeout");
    });
    expect(await sqsTakenFrom(sqs, url).remove(copies)).toEqual([false, false]);
  });
});

test("a parked message that may not be back makes the look fail: it comes again", async () => {
  const sqs = sqsThat(() => ({ Failed: [{ Id: "0", Code: "InternalError" }] }));
  await expect(sqsParked(sqs, url, 60).giveBack(copies)).rejects.toThrow("1 of 2 messages");
});

test("an order that SQS didn't take makes the batch fail, before anything is parked", async () => {
  const sqs = sqsThat(() => {
    throw sqsSays("QueueDoesNotExist");
  });
  await expect(sqsRetryOrders(sqs, url).send({ attempt: "x" }, 5)).rejects.toThrow("the batch comes again");
});

describe("targets of a bridge", () => {
  const sent: unknown[] = [];
  const taking = sqsThat(({ QueueUrl, Entries }: { QueueUrl: string; Entries: { Id: string; MessageBody: string }[] }) => {
    sent.push(...Entries.map(({ MessageBody }) => [QueueUrl.split("/").at(-1), MessageBody]));
    return { Successful: Entries };
  });
  const wire = (body: string) => ({ body, attributes: {} });
  const targetsAt = (target: string, sqs = taking, sns = snsThat(unused)) =>
    awsBridgeTargets({
      target: placeOfArn(target),
      undelivered: queueOfArn(arn("undelivered")),
      deadLetters: queueOfArn(arn("dead")),
      sqs: taking,
      targetSqs: sqs,
      targetSns: sns,
    });

  test("are told apart, and answers come in the order given", async () => {
    sent.length = 0;
    const refusing = sqsThat(() => {
      throw sqsSays("QueueDoesNotExist");
    });
    const answers = await targetsAt(arn("target"), refusing).handOver([
      { to: "undelivered", wire: wire("a") },
      { to: "target", wire: wire("b") },
      { to: "dead-letters", wire: wire("c") },
    ]);
    expect(answers.map(({ answer }) => answer)).toEqual(["accepted", "refused", "accepted"]);
    expect(sent).toEqual([
      ["undelivered", "a"],
      ["dead", "c"],
    ]);
  });

  test("are there if their attributes can be read", async () => {
    const topic = "arn:aws:sns:eu-west-1:123456789012:t";
    const there = sqsThat(() => ({ Attributes: {} }));
    const away = sqsThat(() => {
      throw sqsSays("QueueDoesNotExist");
    });
    const seen = [
      targetsAt(arn("target"), there),
      targetsAt(arn("target"), away),
      targetsAt(
        topic,
        away,
        snsThat(() => ({})),
      ),
    ];
    expect(await Promise.all(seen.map((targets) => targets.isThere()))).toEqual([true, false, true]);
  });
});

describe("an event source", () => {
  const sourceIn = (State: string, calls: object[] = [], refuses = false) => {
    const lambda = stubbed(new LambdaClient({ region: "us-east-1" }), (input: object) => {
      if (!("Enabled" in input)) return { EventSourceMappings: State === "" ? [] : [{ UUID: "u", State }] };
      calls.push(input);
      if (refuses) throw new Error("ResourceInUse");
      return {};
    });
    return lambdaEventSource({ lambda, functionName: "f", queueArn: arn("q") });
  };

  test.for([
    { rule: "is turned off", state: "Enabled", to: "off", calls: [{ UUID: "u", Enabled: false }], done: true },
    { rule: "is turned on", state: "Disabled", to: "on", calls: [{ UUID: "u", Enabled: true }], done: true },
    { rule: "is left alone on its way there", state: "Disabling", to: "off", calls: [], done: true },
    { rule: "isn't known", state: "", to: "on", calls: [], done: false },
  ] as const)("that $rule", async ({ state, to, calls, done }) => {
    const seen: object[] = [];
    expect(await sourceIn(state, seen).turn(to)).toBe(done);
    expect(seen).toEqual(calls);
  });

  test("that Lambda doesn't switch now says so", async () => {
    expect(await sourceIn("Disabling", [], true).turn("on")).toBe(false);
  });
});
