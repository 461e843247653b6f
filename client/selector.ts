import { judgeSelector } from "../core/config/schema/selector-text.ts";
import { SpanMqError } from "./options.ts";

/** A selector as a call was given it: a blank one is none. Refuses one that can't be read. */
export const selectorFrom = (text = ""): string | undefined => {
  if (text.trim() === "") return undefined;
  const fault = judgeSelector(text);
  if (fault !== undefined) throw new SpanMqError(`selector ${JSON.stringify(text)}: ${fault}`);
  return text;
};
