import { SNSClient } from "@aws-sdk/client-sns";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import { producerOn } from "../../client/producer.ts";
import { sliceOf } from "../support/a-slice.ts";
import { sha256 } from "../support/hash.ts";
import { networkOf, pair } from "../support/simulator/topologies.ts";
import { stubbed } from "../support/stub.ts";

interface Sent {
  readonly QueueUrl?: string;
  readonly TopicArn?: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

const producing = () => {
  const sent: Sent[] = [];
  const take = (input: Sent) => sent.push(input) && { MessageId: "1" };
  const slice = { ...sliceOf(networkOf(pair), "a"), queues: ["orders.fifo", "a.fifo", "b.fifo", "both.fifo"], topics: ["prices.fifo"] };
  const ground = {
    ...{ slice, where: whereaboutsOf(slice, sha256) },
    sqs: stubbed(new SQSClient({ region: "eu-west-1", md5: false }), take),
    sns: stubbed(new SNSClient({ region: "eu-west-1" }), take),
  };
  return { sent, ...producerOn(ground as never, { send: async () => ({ dropped: 0 }) }) };
};

/** The names of queues and topics that something was sent to. */
const places = (sent: readonly Sent[]) =>
  sent.map(({ QueueUrl = "", TopicArn = "" }) => (QueueUrl + TopicArn).replace(/.*spanmq-test-a-/, ""));

describe("a producer", () => {
  test("sends to a FIFO queue, or a composite of FIFO ones, by the ordered door, to any other by the other", async () => {
    const { send, publish, sent } = producing();
    await send("orders.fifo", "");
    await send("orders.fifo,topic://prices.fifo", "");
    await publish("prices.fifo,queue://orders.fifo", "");
    await send("orders", "");
    expect(places(sent)).toEqual(["sys-ingress.fifo", "sys-ingress.fifo", "sys-ingress.fifo", "sys-ingress"]);
    expect(sent[3]?.MessageDeduplicationId).toBeUndefined();
  });

  test("refuses a FIFO queue that nobody has declared here, where it is sent", async () => {
    const { send, sent } = producing();
    await expect(send("orders.fifo,jobs.fifo", "")).rejects.toThrow(
      'broker a has no queue://jobs.fifo: a FIFO destination isn\'t made on first use, declare it in "queues"',
    );
    expect(sent).toEqual([]);
  });

  test("publishes to a FIFO topic in the message's group, or in one of the topic", async () => {
    const { publish, sent } = producing();
    await publish("prices.fifo", "", { groupId: "acme" });
    await publish("prices.fifo", "");
    await publish("prices.fifo", "", { groupId: "größer als erlaubt" });
    expect(places(sent)).toEqual(Array(3).fill("t-prices.fifo"));
    expect(sent.map(({ MessageGroupId }) => MessageGroupId)).toEqual([
      "acme",
      "topic://prices.fifo",
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });

  test("keeps the groups of two destinations apart on the door that they share, and a group together", async () => {
    const { send, sent } = producing();
    for (const queue of ["a.fifo", "a.fifo", "b.fifo"]) await send(queue, "", { groupId: "acme" });
    const [one, same, other] = sent.map(({ MessageGroupId }) => MessageGroupId);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  test("C05 means each send: the same text in the same group twice is two messages", async () => {
    const { send, publish, sent } = producing();
    for (const by of [send, publish]) for (const _ of [1, 2]) await by("both.fifo", "same", { groupId: "acme" });
    const ids = sent.map(({ MessageDeduplicationId }) => MessageDeduplicationId);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(undefined);
  });
});
