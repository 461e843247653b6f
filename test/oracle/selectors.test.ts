import { describe, expect, test } from "vitest";
import { destinationOf } from "../../core/destination/destination.ts";
import type { Message, PropertyValue } from "../../core/message/message.ts";
import { compileSelector } from "../../core/selector/compile.ts";
import { evaluatorOf } from "../../core/selector/evaluate.ts";
import type { Selectable } from "../../core/selector/headers.ts";
import { parseSelector } from "../../core/selector/parse.ts";
import { SelectorFailure } from "../../core/selector/values.ts";
import { aMessage } from "../support/a-message.ts";
import { isMissing, recorded } from "./recording.ts";

interface SelectorCase {
  readonly id: string;
  readonly category: string;
  readonly selector: string;
  readonly headers: RecordedHeaders;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly expected: boolean | "error";
  readonly evaluatesTo?: "true" | "false" | "unknown" | "non-boolean";
  readonly errorPhase?: "parse" | "evaluate";
}

interface RecordedHeaders {
  readonly JMSPriority?: number;
  readonly JMSDeliveryMode?: Message["deliveryMode"];
  readonly JMSTimestamp?: number;
  readonly JMSExpiration?: number;
  readonly JMSMessageID?: string;
  readonly JMSDestination?: string;
  readonly JMSReplyTo?: string;
  readonly JMSCorrelationID?: string;
  readonly JMSType?: string;
  readonly JMSRedelivered?: boolean;
  readonly JMSXDeliveryCount?: number;
  readonly JMSXGroupID?: string;
  readonly JMSXGroupSeq?: number;
  readonly JMSXUserID?: string;
}

const given = <K extends string, T>(key: K, value: T | undefined) => (value === undefined ? {} : ({ [key]: value } as Record<K, T>));

/** A header that the recording doesn't name has the default of test/oracle/README.md. */
const selectable = ({ headers, properties }: SelectorCase): Selectable => ({
  ...aMessage({
    id: headers.JMSMessageID ?? "ID:default-1:1:1:1:1",
    destination: destinationOf(headers.JMSDestination ?? "queue://Q.TEST"),
    priority: headers.JMSPriority ?? 4,
    deliveryMode: headers.JMSDeliveryMode ?? "PERSISTENT",
    timestamp: headers.JMSTimestamp ?? 0,
    expiration: headers.JMSExpiration ?? 0,
    properties,
    ...given("replyTo", headers.JMSReplyTo),
    ...given("correlationId", headers.JMSCorrelationID),
    ...given("type", headers.JMSType),
    ...given("groupId", headers.JMSXGroupID),
    ...given("groupSequence", headers.JMSXGroupSeq),
    ...given("userId", headers.JMSXUserID),
  }),
  deliveryCount: headers.JMSXDeliveryCount ?? (headers.JMSRedelivered ? 2 : 1),
});

const answers = { true: true, false: false, unknown: null, "non-boolean": undefined };

const file = "activemq/selectors.json";
const cases = recorded<SelectorCase>(file, "cases");

describe(`selectors answer as a real broker's did: ${file}`, () => {
  if (!cases) test.todo(isMissing(file));

  test.for(cases ?? [])("$id ($category): $selector", (seen) => {
    const message = selectable(seen);
    expect(compileSelector(seen.selector)(message)).toBe(seen.expected === true);
    const selector = parseSelector(seen.selector);
    if (seen.errorPhase === "parse") {
      expect(selector).toMatchObject({ fault: "selector-syntax", column: expect.any(Number), expected: expect.any(String) });
      return;
    }
    if ("fault" in selector) throw new Error(selector.message);
    const evaluate = evaluatorOf(selector);
    if (seen.errorPhase === "evaluate") {
      expect(() => evaluate(message)).toThrow(SelectorFailure);
      return;
    }
    expect(evaluate(message)).toBe(answers[seen.evaluatesTo ?? "unknown"]);
  });
});
