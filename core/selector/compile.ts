import { evaluatorOf } from "./evaluate.ts";
import type { Selectable } from "./headers.ts";
import { parseSelector } from "./parse.ts";
import { SelectorFailure } from "./values.ts";

export type Matches = (message: Selectable) => boolean;

/** A selector that is new to each message, as of request and reply, must not fill the memory. */
const mostRemembered = 1_000;
const remembered = new Map<string, Matches>();

/**
 * The messages that a selector accepts. Only true is: unknown isn't, nor an evaluation that fails. A text that is no selector accepts
 * nothing: `parseSelector` tells its owner so where it comes in.
 */
export const compileSelector = (text: string): Matches => {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const matches = compiled(text);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= mostRemembered) remembered.delete(oldest);
  remembered.set(text, matches);
  return matches;
};

const compiled = (text: string): Matches => {
  const selector = parseSelector(text);
  if ("fault" in selector) return () => false;
  const evaluate = evaluatorOf(selector);
  return (message) => {
    try {
      return evaluate(message) === true;
    } catch (thrown) {
      if (thrown instanceof SelectorFailure) return false;
      throw thrown;
    }
  };
};
