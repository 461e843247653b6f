import type { Context, SQSEvent } from "aws-lambda";
import { makeKey, sha256, signerOf } from "../../aws/keys.ts";
import { toAttributes } from "../../aws/wire.ts";
import type { Door } from "../../core/broker/dispatch/door.ts";
import type { BrokerItem } from "../../core/broker/records.ts";
import { sliceFor } from "../../core/config/slice.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId, linkId } from "../../core/ids.ts";
import { encodeMessage } from "../../core/message/encode.ts";
import type { Message, Signer, WireMessage } from "../../core/message/message.ts";
import type { Candidate } from "../../core/routing/view.ts";
import { dispatchHandler } from "../../functions/dispatch.ts";
import { networkFrom } from "../../infra/read-network.ts";
import { sqsEvent } from "../../local/sqs-event.ts";
import { accountId } from "../../local/template/resource-type.ts";
import { median } from "../measure.ts";
import { benchNetwork } from "../world/network.ts";
import { batch, body } from "../world/queues.ts";
import { stubPorts } from "./stub-ports.ts";

/** CPU time of dispatch for messages that come by one door: the handler whole, its ports stubs, log lines left out. */
export interface DoorCpu {
  readonly door: Door["door"];
  /** With Ed25519 and SHA-256 of bodies as deployed, or with a constant for a signature and every signature taken for good. */
  readonly signatures: boolean;
  /** Milliseconds of CPU for 1,000 messages, the median of some rounds. */
  readonly msPerThousand: number;
}

const rounds = 9;
const link = linkId(brokerId("a"), "a-b");
const keys = { a: makeKey(), b: makeKey() };

export const measureCpu = async (messages: number, say: (line: string) => void): Promise<readonly DoorCpu[]> => {
  const measured: DoorCpu[] = [];
  for (const door of ["ingress", "inbound"] as const) {
    for (const signatures of [true, false]) {
      say(`measuring CPU of dispatch: ${door}, ${signatures ? "with" : "without"} signatures`);
      measured.push({ door, signatures, msPerThousand: await cpuOf(cases[door](signatures), messages) });
    }
  }
  return measured;
};

interface Case {
  readonly handler: ReturnType<typeof dispatchHandler>;
  readonly event: SQSEvent;
}

const cpuOf = async ({ handler, event }: Case, messages: number): Promise<number> => {
  const run = async () => {
    const before = process.cpuUsage();
    for (let handled = 0; handled < messages; handled += batch) await handler(event, {} as Context);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1_000 / messages) * 1_000;
  };
  for (let warmUp = 0; warmUp < 2; warmUp += 1) await run(); // until the code is compiled
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await run());
  return median(times);
};

const silent = { dispatched: () => {}, controlled: () => {} };
const constant: Signer = { kid: "none", sign: () => "A".repeat(88) };

const cases: Readonly<Record<"ingress" | "inbound", (signatures: boolean) => Case>> = {
  /** A producer's messages, for a link. */
  ingress: (signatures) => ({
    handler: dispatchHandler(
      stubPorts({
        door: { door: "ingress" },
        broker: itemOf("a"),
        candidate: { to: "link", id: link, link, priority: 0, weight: 1 },
        ...signing("a", signatures),
      }),
      silent,
      Date.now,
    ),
    event: eventOf({ body, attributes: { destination: { type: "String", value: "queue://far" } } }),
  }),
  /** The same, come over the link, for consumers here. */
  inbound: (signatures) => ({
    handler: dispatchHandler(
      stubPorts({ door: { door: "inbound", link }, broker: itemOf("b"), candidate: consumers, ...signing("b", signatures) }),
      silent,
      Date.now,
    ),
    event: eventOf(encodeMessage(message, { broker: brokerId("a"), hash: sha256, ...signing("a", signatures) })),
  }),
};

const consumers: Candidate = { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 1_000 };
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

const eventOf = ({ body: text, attributes }: WireMessage): SQSEvent =>
  sqsEvent(
    Array.from({ length: batch }, (_, index) => ({
      MessageId: `message-${index}`,
      ReceiptHandle: `receipt-${index}`,
      Body: text,
      Attributes: { SentTimestamp: "1700000000000", ApproximateReceiveCount: "1" },
      MessageAttributes: toAttributes(attributes),
    })),
    "arn:aws:sqs:us-east-1:000000000000:stub",
  );
