import { describe, expect, test } from "vitest";
import { toAttributes, toTransportRecord, wireBytes } from "../../aws/wire.ts";

const bytes = Uint8Array.of(0, 1, 2, 255);
const native = {
  text: { type: "String", value: "ü" },
  size: { type: "Number.int", value: "3" },
  blob: { type: "Binary.png", value: "AAEC/w==" },
};
const ofTheService = {
  text: { DataType: "String", StringValue: "ü" },
  size: { DataType: "Number.int", StringValue: "3" },
  blob: { DataType: "Binary.png", BinaryValue: bytes },
};

describe("the wire of SQS and SNS", () => {
  test("binary attributes travel as bytes, all others as text", () => {
    const sent = toAttributes(native);
    expect({ ...sent, blob: { ...sent.blob, BinaryValue: Uint8Array.from(sent.blob?.BinaryValue ?? []) } }).toEqual(ofTheService);
  });

  test("a received message is a record, its attributes as they were sent", () => {
    const system = { SentTimestamp: "1700000000000", ApproximateReceiveCount: "2" };
    const message = { MessageId: "id", Body: "x", Attributes: system, MessageAttributes: ofTheService };
    expect(toTransportRecord(message)).toEqual({
      ref: "id",
      id: "id",
      body: "x",
      attributes: native,
      sentAt: 1_700_000_000_000,
      receiveCount: 2,
    });
  });

  test("a message is as long as its bytes: body, names, types and values", () => {
    expect(wireBytes({ body: "ü", attributes: {} })).toBe(2);
    expect(wireBytes({ body: "", attributes: { blob: native.blob } })).toBe("blob".length + "Binary.png".length + bytes.length);
    expect(wireBytes({ body: "", attributes: { text: native.text } })).toBe("text".length + "String".length + 2);
  });
});
