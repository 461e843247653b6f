import { describe, expect, test } from "vitest";
import type { Destination } from "../../../core/destination/destination.ts";
import type { NativeAttributes, WireMessage } from "../../../core/message/message.ts";
import type { HandOver } from "../../../core/ports.ts";
import { type OpenWorld, usToEu } from "../../support/worlds/world.ts";

const orders: Destination = { kind: "queue", name: "orders.new" };
const prices: Destination = { kind: "topic", name: "prices" };
const toOrders = { to: "queue", destination: orders } as const;
const toPrices = { to: "topic", destination: prices } as const;
const toEu = { to: "link", link: usToEu } as const;

const wire = (body: string, attributes: NativeAttributes = {}): WireMessage => ({ body, attributes });
const bodies = (records: readonly WireMessage[]) => records.map(({ body }) => body).sort();
const accepted = { answer: "accepted" };

export const targetsContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of targets`, () => {
    /** A world in which the queue, the topic and the link's inbound exist. */
    const furnished = async () => {
      const world = await open();
      const { where } = world.us;
      const [queue, topic, inbound] = [where.queueOf(toOrders), where.topicOf(prices), where.inbound(usToEu)];
      if (!inbound) throw new Error("the world has no link");
      await Promise.all([queue, topic, inbound].map(world.make));
      const deadLetters = where.target({ to: "dead-letters" });
      return { ...world, queue, topic, inbound, deadLetters };
    };

    test("each hand-over is answered at its place, whatever order the targets were served in", async () => {
      const { us, queue, inbound, drain } = await furnished();
      const handOvers: HandOver[] = [
        { target: toEu, wire: wire("1") },
        { target: { to: "private", queue: "gone" }, wire: wire("2") },
        { target: toOrders, wire: wire("3") },
        { target: toEu, wire: wire("4") },
        { target: toPrices, wire: wire("5") },
      ];
      const answers = await us.targets.handOver(handOvers);
      expect(answers).toEqual([accepted, expect.objectContaining({ answer: "refused", cause: "missing" }), accepted, accepted, accepted]);
      expect(bodies(await drain(queue))).toEqual(["3"]);
      expect(bodies(await drain(inbound))).toEqual(["1", "4"]);
    });

    test("attributes of every type arrive as they were", async () => {
      const { us, queue, drain } = await furnished();
      const attributes: NativeAttributes = {
        text: { type: "String", value: "grün" },
        size: { type: "Number.int", value: "3" },
        blob: { type: "Binary", value: "AAECAw==" },
      };
      await us.targets.handOver([{ target: toOrders, wire: wire("x", attributes), group: "queue://orders.new" }]);
      expect(await drain(queue)).toMatchObject([{ body: "x", attributes, receiveCount: 1 }]);
    });

    test("a topic's message reaches a subscriber in its envelope", async () => {
      const { us, inbound, drain } = await furnished();
      await us.subscriptions.subscribe(prices, toEu);
      expect(await us.targets.handOver([{ target: toPrices, wire: wire("up") }])).toEqual([accepted]);
      expect((await drain(inbound)).map(({ body }) => JSON.parse(body).Message)).toEqual(["up"]);
    });

    test("a missing queue or topic refuses, and nobody else's hand-over suffers", async () => {
      const { us } = await open();
      const missing = expect.objectContaining({ answer: "refused", cause: "missing" });
      const handOvers = [toOrders, toPrices, toEu].map((target) => ({ target, wire: wire("x") }));
      expect(await us.targets.handOver(handOvers)).toEqual([missing, missing, missing]);
    });

    test("a link that the configuration lacks is missing", async () => {
      const { eu } = await open();
      const unknown = { to: "link", link: "eu:none" as typeof usToEu } as const;
      expect(await eu.targets.handOver([{ target: unknown, wire: wire("x") }])).toMatchObject([{ answer: "refused", cause: "missing" }]);
    });

    test("C19: ten messages of 200 KB, more than one call takes, all arrive", async () => {
      const { us, queue, drain } = await furnished();
      const handOvers = Array.from({ length: 10 }, (_, i) => ({ target: toOrders, wire: wire(`${i}`.padEnd(200_000, ".")) }));
      expect(await us.targets.handOver(handOvers)).toEqual(handOvers.map(() => accepted));
      expect(bodies(await drain(queue))).toEqual(bodies(handOvers.map((handOver) => handOver.wire)));
    });

    test("twenty-five messages, more than one call takes, all arrive", async () => {
      const { us, queue, drain } = await furnished();
      const handOvers = Array.from({ length: 25 }, (_, i) => ({ target: toOrders, wire: wire(`${i}`) }));
      expect(await us.targets.handOver(handOvers)).toEqual(handOvers.map(() => accepted));
      expect(bodies(await drain(queue))).toEqual(bodies(handOvers.map((handOver) => handOver.wire)));
    });

    test.for([
      { size: "just below 256 KiB", bytes: 262_143, target: toOrders, answer: "accepted" },
      { size: "just above 256 KiB", bytes: 262_145, target: toOrders, answer: "accepted" },
      { size: "of 1 MiB", bytes: 1_048_576, target: toOrders, answer: "accepted" },
      { size: "just above 1 MiB", bytes: 1_048_577, target: toOrders, answer: "refused" },
      { size: "of 1 MiB over a link", bytes: 1_048_576, target: toEu, answer: "accepted" },
      { size: "just above 1 MiB over a link", bytes: 1_048_577, target: toEu, answer: "refused" },
      { size: "just below 256 KiB to a topic", bytes: 262_143, target: toPrices, answer: "accepted" },
      { size: "just above 256 KiB to a topic", bytes: 262_145, target: toPrices, answer: "refused" },
      { size: "just above 1 MiB to a topic", bytes: 1_048_577, target: toPrices, answer: "refused" },
    ])("C20: a message $size is $answer when handed over, and its neighbour arrives", async ({ bytes, target, answer }) => {
      const { us } = await furnished();
      const answers = await us.targets.handOver([
        { target, wire: wire("small") },
        { target, wire: wire("x".repeat(bytes)) },
      ]);
      const expected = answer === "refused" ? { answer, cause: "too-large" } : { answer };
      expect(answers).toMatchObject([accepted, expected]);
    });

    test("dead letters are a target like any other", async () => {
      const { us, make, drain } = await open();
      const place = us.where.target({ to: "dead-letters" });
      if (place?.service !== "sqs") throw new Error("dead letters go to a queue");
      await make(place);
      expect(await us.targets.handOver([{ target: { to: "dead-letters" }, wire: wire("late") }])).toEqual([accepted]);
      expect(bodies(await drain(place))).toEqual(["late"]);
    });
  });
