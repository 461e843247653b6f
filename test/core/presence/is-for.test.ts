import { expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import type { Message } from "../../../core/message/message.ts";
import { isFor } from "../../../core/presence/is-for.ts";
import type { ConsumerSpec } from "../../../core/presence/presence.ts";
import { aMessage } from "../../support/a-message.ts";

interface Row {
  readonly rule: string;
  readonly destination?: string;
  readonly consumer: Partial<ConsumerSpec>;
  readonly message: Partial<Message>;
  readonly expected: boolean;
}
const selector = "JMSType = 'x'";

test.for<Row>([
  { rule: "noLocal: not what its own connection published", consumer: { noLocal: true }, message: { connection: "own" }, expected: false },
  { rule: "noLocal: what another connection published", consumer: { noLocal: true }, message: { connection: "other" }, expected: true },
  { rule: "noLocal: what nobody of ours published", consumer: { noLocal: true }, message: {}, expected: true },
  { rule: "without noLocal its own, too", consumer: {}, message: { connection: "own" }, expected: true },
  {
    rule: "noLocal and a selector, which takes it: not its own",
    consumer: { noLocal: true, selector },
    message: { type: "x", connection: "own" },
    expected: false,
  },
  { rule: "both, another's: what the selector takes", consumer: { noLocal: true, selector }, message: { type: "x" }, expected: true },
  {
    rule: "both, another's: not what the selector refuses",
    consumer: { noLocal: true, selector },
    message: { type: "y" },
    expected: false,
  },
  { rule: "of a queue whatever is there: routing chose it", destination: "queue://q", consumer: { selector }, message: {}, expected: true },
])("SEL-21: a consumer gets, $rule", ({ destination = "topic://t", consumer, message, expected }) => {
  const spec: ConsumerSpec = { id: "c1", destination, priority: 0, ...consumer };
  expect(isFor(spec, "own", aMessage({ destination: destinationOf(destination), ...message }))).toBe(expected);
});
