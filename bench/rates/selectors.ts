import type { Message, PropertyValue } from "../../core/message/message.ts";
import { compileSelector } from "../../core/selector/compile.ts";
import type { Repeated } from "./measure-rates.ts";

const text = "region = 'eu' AND amount > 1000 AND vip = TRUE AND currency IN ('EUR', 'GBP') AND orderId LIKE 'ORD-%'";

/** All five terms hold, so that none is spared. */
const properties = (amount: number): Record<string, PropertyValue> => ({
  region: { type: "string", value: "eu" },
  amount: { type: "double", value: amount },
  vip: { type: "boolean", value: true },
  currency: { type: "string", value: "EUR" },
  orderId: { type: "string", value: `ORD-${amount}` },
  retries: { type: "int", value: 0 },
});

const messages = Array.from(
  { length: 100 },
  (_, index): Message => ({
    id: `m-${index}`,
    destination: { kind: "topic", name: "orders" },
    body: { type: "text", text: "hello" },
    brokerPath: [],
    timestamp: 0,
    expiration: 0,
    priority: 4,
    deliveryMode: "PERSISTENT",
    // As decoding makes them.
    properties: Object.fromEntries(Object.entries(properties(1_000.5 + index))),
    native: {},
    copies: 0,
  }),
);

export const evaluations: Repeated = {
  what: "evaluations of a compiled selector of five terms",
  run: (times) => {
    const matches = compileSelector(text);
    let accepted = 0;
    for (let i = 0; i < times; i += 1) if (matches(messages[i % messages.length] as Message)) accepted += 1;
    if (accepted !== times) throw new Error(`the selector accepted ${accepted} of ${times} messages: each should match`);
  },
};
