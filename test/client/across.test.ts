import { PublishCommand } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand, SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test, vi } from "vitest";
import type { Connection, ReceivedMessage, SendOptions } from "../../client/index.ts";
import { patiently } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo } = useNetwork(twoRegions());

type Kind = "queue" | "topic";
const kinds: readonly { readonly kind: Kind }[] = [{ kind: "queue" }, { kind: "topic" }];

/** Consumes; `arrived` are the first so many messages. */
const listen = async (connection: Connection, kind: Kind, name: string, count = 1) => {
  const received: ReceivedMessage[] = [];
  const { promise: arrived, resolve } = Promise.withResolvers<readonly ReceivedMessage[]>();
  const take = (message: ReceivedMessage): void => {
    received.push(message);
    if (received.length === count) resolve(received);
  };
  await (kind === "queue" ? connection.consume(name, take) : connection.subscribe(name, take));
  return { arrived };
};

const bothConnected = () => Promise.all([connectTo("us"), connectTo("eu")]);

/** What a consumer in eu gets of a message sent in us. */
const crossed = async (kind: Kind, name: string, body: string | Uint8Array, options: SendOptions = {}): Promise<ReceivedMessage> => {
  const [us, eu] = await bothConnected();
  const { arrived } = await listen(eu, kind, name);
  await eu.ready();
  await (kind === "queue" ? us.send(name, body, options) : us.publish(name, body, options));
  const [message] = await arrived;
  await eu.close();
  return message as ReceivedMessage;
};

const texts = (messages: readonly ReceivedMessage[]): readonly string[] => messages.map(({ text }) => text).toSorted();

const headers = {
  correlationId: "c-1",
  replyTo: "queue://replies",
  type: "order",
  priority: 7,
  groupId: "g-1",
  groupSequence: 3,
  userId: "u-1",
  deliveryMode: "NON_PERSISTENT",
} as const;

describe.concurrent.for(kinds)("a $kind message that crosses", ({ kind }) => {
  test("C01: keeps fourteen properties with their types, and its headers", async () => {
    const numbers = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`n${n}`, n]));
    const properties = {
      ...numbers,
      yes: true,
      text: "x",
      half: 0.5,
      negative: -0,
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
      negative: -0,
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

describe.concurrent("a consumer in the other region", () => {
  test("of a pattern gets what is sent to queues that are made later", async () => {
    const [us, eu] = await bothConnected();
    const { arrived } = await listen(eu, "queue", "queue://later.>", 2);
    await eu.ready();
    await us.send("queue://later.one", "1");
    await us.send("queue://later.two.deep", "2");
    expect((await arrived).map(({ text, destination }) => `${destination} ${text}`).toSorted()).toEqual([
      "queue://later.one 1",
      "queue://later.two.deep 2",
    ]);
  });

  test("of two queues at once gets from both", async () => {
    const [us, eu] = await bothConnected();
    const { arrived } = await listen(eu, "queue", "queue://left,right", 2);
    await eu.ready();
    await us.send("left", "l");
    await us.send("right", "r");
    expect(texts(await arrived)).toEqual(["l", "r"]);
  });

  test("gets a message that is sent to its destination among others", async () => {
    const [us, eu] = await bothConnected();
    const onBoth = await Promise.all([listen(eu, "queue", "both"), listen(eu, "topic", "both")]);
    const onEach = await Promise.all([listen(eu, "topic", "topic://each.a"), listen(eu, "topic", "topic://each.b")]);
    await eu.ready();
    await us.send("queue://both,topic://both", "sent");
    await us.publish("topic://each.a,each.b", "published");
    const arrived = await Promise.all([...onBoth, ...onEach].map((one) => one.arrived));
    expect(arrived.flat().map(({ text, destination }) => `${destination} ${text}`)).toEqual([
      "queue://both sent",
      "topic://both sent",
      "topic://each.a published",
      "topic://each.b published",
    ]);
  });

  test("of a topic pattern gets a plain SDK's publish without any attribute", async () => {
    const [us, eu] = await bothConnected();
    await us.publish("topic://ticks.eur", "before");
    const { arrived } = await listen(eu, "topic", "topic://ticks.>");
    await eu.ready();
    const TopicArn = "arn:aws:sns:us-east-1:000000000000:spanmq-test-us-t-ticks-eur";
    await clients("us").sns.send(new PublishCommand({ TopicArn, Message: "plain" }));
    expect(await arrived).toMatchObject([{ text: "plain", destination: "topic://ticks.eur", brokerPath: ["us"], properties: {} }]);
  });

  test("with a selector gets what that takes; the rest waits where it was sent for whoever comes", async () => {
    const [us, eu] = await bothConnected();
    const [cheap, dear] = [Promise.withResolvers<ReceivedMessage>(), Promise.withResolvers<ReceivedMessage>()];
    await eu.consume("queue://offers", dear.resolve, { selector: "price > 10 AND currency = 'EUR'" });
    await eu.ready();
    const offer = (text: string, price: number) => us.send("offers", text, { properties: { price, currency: "EUR" } });
    await offer("cheap", 9);
    await offer("dear", 11);
    expect((await dear.promise).text).toBe("dear");
    await us.consume("queue://offers", cheap.resolve, { selector: "price <= 10" });
    expect(await cheap.promise).toMatchObject({ text: "cheap", brokerPath: [] });
  });

  test("with a prefetch of its own has no more than that in hand, and the rest waits in its private queue", async () => {
    const [us, eu] = await bothConnected();
    const theRestWaits = Promise.withResolvers<void>();
    const allDone = Promise.withResolvers<void>();
    let [inHand, most, done] = [0, 0, 0];
    await eu.consume(
      "queue://narrow",
      async () => {
        inHand += 1;
        most = Math.max(most, inHand);
        await theRestWaits.promise;
        inHand -= 1;
        done += 1;
        if (done === 5) allDone.resolve();
      },
      { prefetchSize: 1 },
    );
    await eu.ready();
    await Promise.all(["1", "2", "3", "4", "5"].map((body) => us.send("narrow", body)));
    const QueueUrl = `http://sqs/000000000000/spanmq-test-eu-s-${eu.id}-c1`;
    const waiting = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] });
    await vi.waitUntil(async () => (await clients("eu").sqs.send(waiting)).Attributes?.ApproximateNumberOfMessages === "4", patiently);
    theRestWaits.resolve();
    await allDone.promise;
    expect(most).toBe(1);
  });
});

test.concurrent("a handler that throws is told, and its message comes again", async () => {
  const problems: Error[] = [];
  const [us, eu] = [await connectTo("us"), await connectTo("eu", problems)];
  const cameAgain = Promise.withResolvers<number>();
  await eu.consume("queue://again", ({ redelivered, deliveryCount }) => {
    if (!redelivered) throw new Error("not today");
    cameAgain.resolve(deliveryCount);
  });
  await eu.ready();
  const QueueUrl = "http://sqs/000000000000/spanmq-test-eu-q-again";
  await clients("eu").sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: "1" } }));
  await us.send("again", "x");
  expect(await cameAgain.promise).toBeGreaterThan(1); // the hostile layer may have taken it, too
  expect(problems.map(({ message, cause }) => `${message}: ${cause}`)).toEqual([
    expect.stringMatching(/handler of queue:\/\/again failed on message .*: Error: not today/),
  ]);
});
