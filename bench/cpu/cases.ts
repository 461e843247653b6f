import type { SQSEvent } from "aws-lambda";
import { makeKey, sha256, signerOf } from "../../aws/keys.ts";
import type { BrokerItem } from "../../core/broker/records.ts";
import { sliceFor } from "../../core/config/slice.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import { encodeMessage } from "../../core/message/encode.ts";
import type { Message, Signer, WireMessage } from "../../core/message/message.ts";
import type { Candidate } from "../../core/routing/view.ts";
import { networkFrom } from "../../infra/read-network.ts";
import { sqsEvent } from "../../local/sqs-event.ts";
import { accountId } from "../../local/template/resource-type.ts";
import { benchNetwork } from "../world/network.ts";
import { batch, body } from "../world/queues.ts";
import type { Stubbed } from "./stub-ports.ts";

/** A batch as Lambda hands it to dispatch, and the surroundings in which it goes its plain way. */
export interface Case {
  readonly stubbed: Stubbed;
  readonly event: SQSEvent;
}

const keys = { a: makeKey(), b: makeKey() };
const link = linkId(brokerId("a"), "a-b");

/** A producer's messages for a link. */
export const atIngress = (signatures: boolean): Case => {
  const candidate: Candidate = { to: "link", id: link, link, priority: 0, weight: 1 };
  return {
    stubbed: { door: { door: "ingress" }, broker: itemOf("a"), candidate, ...signing("a", signatures) },
    event: batchOf({ body, attributes: { destination: { type: "String", value: "queue://far" } } }),
  };
};

/** The same, come over the link, for consumers here. */
export const atInbound = (signatures: boolean): Case => {
  const candidate: Candidate = { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 1_000 };
  return {
    stubbed: { door: { door: "inbound", link }, broker: itemOf("b"), candidate, ...signing("b", signatures) },
    event: batchOf(encodeMessage(message, { broker: brokerId("a"), hash: sha256, ...signing("a", signatures) })),
  };
};

const message: Message = {
  id: "6b3e0b5c-3c6c-4b8e-9d0a-1f2e3d4c5b6a",
  destination: destinationOf("queue://far"),
  body: { type: "text", text: body },
  brokerPath: [],
  timestamp: 1_700_000_000_000,
  expiration: 0,
  priority: 4,
  deliveryMode: "PERSISTENT",
  properties: {},
  native: {},
  copies: 0,
};

/** Free of charge, and as long as a real one. */
const constant: Signer = { kid: "none", sign: (texts) => texts.map(() => "A".repeat(88)) };

const signing = (broker: "a" | "b", signatures: boolean) => ({
  signer: signatures ? signerOf(keys[broker].privateKey) : constant,
  checks: signatures,
});

const itemOf = (broker: "a" | "b"): BrokerItem => ({
  slice: sliceFor(networkFrom(benchNetwork, accountId), brokerId(broker)),
  version: 1,
  keys: [keys[broker].publicKey],
  peerKeys: { [brokerId("a")]: [keys.a.publicKey], [brokerId("b")]: [keys.b.publicKey] },
});

const batchOf = ({ body: text, attributes }: WireMessage): SQSEvent =>
  sqsEvent(
    Array.from({ length: batch }, (_, index) => ({
      MessageId: `message-${index}`,
      ReceiptHandle: `receipt-${index}`,
      Body: text,
      MD5OfBody: "",
      Attributes: { SentTimestamp: "1700000000000", ApproximateReceiveCount: "1" },
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { type, value }]) => [name, { DataType: type, StringValue: value }]),
      ),
    })),
    "arn:aws:sqs:us-east-1:000000000000:stub",
  );
