import { Cursor, Refusal, type SelectorError } from "./cursor.ts";
import { parseCondition } from "./grammar.ts";
import type { Selector } from "./tree.ts";

const prefix = "convert_string_expressions:";

/**
 * Reads a JMS selector as ActiveMQ does, so `NOT a = 5` is `(NOT a) = 5`. An empty text is none: who has no selector doesn't come here.
 * @example
 * parseSelector("region = 'eu' AND amount > 1000");
 * parseSelector("amount >"); // { column: 9, expected: "a value", message: "selector breaks at column 9: …" }
 */
export const parseSelector = (text: string): Selector | SelectorError => {
  const convertStrings = text.startsWith(prefix);
  try {
    return { condition: parseCondition(new Cursor(text, convertStrings ? prefix.length : 0)), convertStrings };
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.error;
    throw thrown;
  }
};
