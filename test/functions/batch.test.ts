import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTransportRecord } from "../../aws/event-records.ts";
import { answerBatch } from "../../functions/batch.ts";
import { aRecord } from "../support/a-message.ts";
import { anSqsEvent, aSqsRecord, rememberingReturns } from "./an-event.ts";

const refs = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 10 });
/** The service may hand out a message twice in one batch. */
const withTwins = refs.chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids)));
const anyAgain = fc.array(fc.record({ ref: fc.string(), seconds: fc.nat(1_800) }));

describe("the answer to a batch", () => {
  test("C07: never names an empty or unknown id, and each failed record once, whatever it is told", async () => {
    await fc.assert(
      fc.asyncProperty(withTwins, fc.nat(10), anyAgain, async ([ids, twins], failing, others) => {
        const event = anSqsEvent([...ids, ...twins].map((ref) => ({ ...aRecord(), ref })));
        const failed = ids.slice(0, failing);
        const strangers = others.filter(({ ref }) => !ids.includes(ref));
        const again = [...failed, ...failed].map((ref) => ({ ref, seconds: 2 }));
        const { batchItemFailures } = await answerBatch(rememberingReturns(), event, [...strangers, ...again]);
        expect(batchItemFailures).toEqual(failed.map((itemIdentifier) => ({ itemIdentifier })));
      }),
    );
  });

  test("gives each failed record back for its own time before it is named", async () => {
    const returns = rememberingReturns();
    const event = anSqsEvent(["a", "b", "c"].map((ref) => ({ ...aRecord(), ref })));
    await answerBatch(returns, event, [
      { ref: "a", seconds: 2 },
      { ref: "c", seconds: 64 },
    ]);
    expect(returns.delayed).toEqual([
      { receipt: "receipt-a", seconds: 2 },
      { receipt: "receipt-c", seconds: 64 },
    ]);
  });

  test("without failures is empty: Lambda deletes the batch", async () => {
    expect(await answerBatch(rememberingReturns(), anSqsEvent([aRecord()]), [])).toEqual({ batchItemFailures: [] });
  });
});

describe("a record of a Lambda event", () => {
  test.for([
    { rule: "text", attribute: { type: "String", value: "x" } },
    { rule: "a number", attribute: { type: "Number", value: "1.5" } },
    { rule: "bytes, in base64", attribute: { type: "Binary", value: "AAEC" } },
    { rule: "a custom type", attribute: { type: "Number.float", value: "1.5" } },
    { rule: "custom bytes", attribute: { type: "Binary.png", value: "AAEC" } },
  ])("keeps an attribute that is $rule", ({ attribute }) => {
    const record = { ...aRecord({ attributes: { p: attribute } }), ref: "m1", id: "m1", sentAt: 7, receiveCount: 3 };
    expect(toTransportRecord(aSqsRecord(record))).toEqual(record);
  });

  test("tells its group where it came from a FIFO queue, not where the group is only for fairness", () => {
    const record = { ...aRecord(), ref: "m1", id: "m1", group: "g" };
    const ofFifo = aSqsRecord(record);
    expect(toTransportRecord(ofFifo)).toEqual(record);
    const { SequenceNumber: _, ...fair } = ofFifo.attributes;
    expect(toTransportRecord({ ...ofFifo, attributes: fair })).not.toHaveProperty("group");
  });
});
