import { PublishCommand } from "@aws-sdk/client-sns";
import { SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import type { Connection, ReceivedMessage, SendOptions } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo } = useNetwork(twoRegions());

type Kind = "queue" | "topic";
const kinds: readonly { readonly kind: Kind }[] = [{ kind: "queue" }, { kind: "topic" }];

const listen = async (connection: Connection, kind: Kind, name: string, options = {}): Promise<ReceivedMessage[]> => {
  const received: ReceivedMessage[] = [];
  const take = (message: ReceivedMessage) => void received.push(message);
  await (kind === "queue" ? connection.consume(name, take, options) : connection.subscribe(name, take));
  return received;
};

/** What a consumer in eu gets of a message sent in us. */
const crossed = async (kind: Kind, name: string, body: string | Uint8Array, options: SendOptions = {}): Promise<ReceivedMessage> => {
  const [us, eu] = [await connectTo("us"), await connectTo("eu")];
  const received = await listen(eu, kind, name);
  await eu.ready();
  await (kind === "queue" ? us.send(name, body, options) : us.publish(name, body, options));
  await eventually(() => received.length).toBe(1);
  await Promise.all([us.close(), eu.close()]);
  return received[0] as ReceivedMessage;
};

const headers = { correlationId: "c-1", replyTo: "queue://replies", type: "order", priority: 7, groupId: "g-1" } as const;

describe.for(kinds)("a $kind message that crosses", ({ kind }) => {
  test("C01: keeps fourteen properties with their types, and its headers", async () => {
    const numbers = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`n${n}`, n]));
    const properties = {
      ...numbers,
      yes: true,
      text: "x",
      half: 0.5,
      long: 2n ** 60n,
      none: null,
      float: { type: "float", value: 1.5 },
      byte: { type: "byte", value: 7 },
      short: { type: "short", value: 300 },
    } as const;
    const got = await crossed(kind, `${kind}s.properties`, "hello", { ...headers, properties });
    expect(got).toMatchObject({ text: "hello", ...headers, brokerPath: ["us"], destination: `${kind}://${kind}s.properties` });
    expect(got.properties).toEqual({
      ...numbers,
      yes: true,
      text: "x",
      half: 0.5,
      long: 2n ** 60n,
      none: null,
      float: 1.5,
      byte: 7,
      short: 300,
    });
  });

  test("C21: keeps control characters, lone surrogates and bytes as they are", async () => {
    const odd = `a\u0000\u001f\ud800b\ufffe`;
    const got = await crossed(kind, `${kind}s.odd`, odd, { properties: { odd } });
    expect([got.text, got.properties.odd]).toEqual([odd, odd]);
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    expect((await crossed(kind, `${kind}s.bytes`, bytes)).bytes).toEqual(bytes);
  });

  test("C22: keeps an empty body, an empty property and one without a value", async () => {
    const got = await crossed(kind, `${kind}s.empty`, "", { properties: { p: "", p2: null } });
    expect([got.text, got.properties]).toEqual(["", { p: "", p2: null }]);
  });
});

describe("a consumer in the other region", () => {
  test("of a pattern gets what is sent to queues that are made later", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const received = await listen(eu, "queue", "queue://later.>");
    await eu.ready();
    await us.send("queue://later.one", "1");
    await us.send("queue://later.two.deep", "2");
    await eventually(() => received.map(({ text, destination }) => `${destination} ${text}`).toSorted()).toEqual([
      "queue://later.one 1",
      "queue://later.two.deep 2",
    ]);
    await eu.close();
  });

  test("of two queues at once gets from both", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const received = await listen(eu, "queue", "queue://left,right");
    await eu.ready();
    await us.send("left", "l");
    await us.send("right", "r");
    await eventually(() => received.map(({ text }) => text).toSorted()).toEqual(["l", "r"]);
    await eu.close();
  });

  test("of a topic pattern gets a plain SDK's publish without any attribute", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    await us.publish("topic://ticks.eur", "before");
    const received = await listen(eu, "topic", "topic://ticks.>");
    await eu.ready();
    await clients("us").sns.send(
      new PublishCommand({ TopicArn: "arn:aws:sns:us-east-1:000000000000:spanmq-test-us-t-ticks-eur", Message: "plain" }),
    );
    await eventually(() => received.map(({ text }) => text)).toEqual(["plain"]);
    expect(received[0]).toMatchObject({ destination: "topic://ticks.eur", brokerPath: ["us"], properties: {} });
    await eu.close();
  });
});

test("a handler that throws is told, and its message comes again", async () => {
  const problems: Error[] = [];
  const [us, eu] = [await connectTo("us"), await connectTo("eu", problems)];
  const seen: boolean[] = [];
  await eu.consume("queue://again", ({ redelivered }) => {
    seen.push(redelivered);
    if (!redelivered) throw new Error("not today");
  });
  await eu.ready();
  const QueueUrl = "http://sqs/000000000000/spanmq-test-eu-q-again";
  await clients("eu").sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: "1" } }));
  await us.send("again", "x");
  await eventually(() => seen).toEqual([false, true]);
  await eventually(() => problems.map(({ message, cause }) => `${message}: ${cause}`)).toEqual([
    expect.stringMatching(/handler of queue:\/\/again failed on message .*: Error: not today/),
  ]);
  await eu.close();
});
