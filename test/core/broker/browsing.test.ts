import { expect, test } from "vitest";
import { type BrowsePorts, browse } from "../../../core/broker/browsing.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import type { RestingCopy } from "../../../core/ports.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";

const us = brokerId("us");
const key = aKey("us-1");
const queue = destinationOf("queue://orders.new");
const context = { self: us, verify: key.verify, hash: sha256 };
const now = 10_000;

const aCopy = (id: string, expiration = 0): RestingCopy => ({
  ...aRecord(encodeMessage(aMessage({ id, expiration }), { broker: us, signer: key.signer, hash: sha256 })),
  ref: id,
  receipt: id,
});

/** A queue that hands out these batches, then what `then` does. */
const aQueue = (batches: readonly (readonly RestingCopy[])[], { receiveLimit, fails }: { receiveLimit?: number; fails?: boolean } = {}) => {
  const waiting = [...batches];
  const givenBack: string[] = [];
  const ports: BrowsePorts = {
    depths: { read: async () => ({ visible: 0, all: 0, ...(receiveLimit !== undefined && { receiveLimit }) }) },
    resting: {
      receive: async () => {
        const batch = waiting.shift();
        if (batch === undefined && fails) throw new Error("throttled");
        return batch ?? [];
      },
      giveBack: async (_, copies) => void givenBack.push(...copies.map(({ receipt }) => receipt)),
    },
  };
  return { ports, givenBack, waiting };
};

test("what has expired, or can't be read, isn't seen, and is given back like the rest", async () => {
  const unreadable = { ...aRecord({ attributes: { SpanMQ: { type: "String", value: "{" } } }), receipt: "odd" };
  const { ports, givenBack } = aQueue([[aCopy("m1"), aCopy("late", now), aCopy("m2", now + 1), unreadable]]);
  const looked = await browse(ports, context, { queue, most: 100 }, now);
  expect(looked).toMatchObject({ browse: "seen", messages: [{ message: { id: "m1" } }, { message: { id: "m2" } }] });
  expect(givenBack).toEqual(["m1", "late", "m2", "odd"]);
});

test("it looks at no more than it was asked to", async () => {
  const { ports, waiting } = aQueue([[aCopy("m1")], [aCopy("m2")], [aCopy("m3")]]);
  await browse(ports, context, { queue, most: 2 }, now);
  expect(waiting.length).toBe(1);
});

test("a look that fails in the middle gives back what it had", async () => {
  const { ports, givenBack } = aQueue([[aCopy("m1")]], { fails: true });
  await expect(browse(ports, context, { queue, most: 100 }, now)).rejects.toThrow("throttled");
  expect(givenBack).toEqual(["m1"]);
});

test.for([
  { receiveLimit: 99, browsed: "refused" },
  { receiveLimit: 100, browsed: "seen" },
])("a queue that gives up after $receiveLimit receives is $browsed", async ({ receiveLimit, browsed }) => {
  const { ports, waiting } = aQueue([[aCopy("m1")]], { receiveLimit });
  expect((await browse(ports, context, { queue, most: 100 }, now)).browse).toBe(browsed);
  expect(waiting.length).toBe(browsed === "refused" ? 1 : 0);
});
