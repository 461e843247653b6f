import { evaluatorOf } from "./evaluate.ts";
import type { Selectable } from "./headers.ts";
import { parseSelector } from "./parse.ts";
import { SelectorFailure } from "./values.ts";

export type Matches = (message: Selectable) => boolean;

/** A selector that is new to each message, as of request and reply, must not fill the memory. */
const mostRemembered = 1_000;
const remembered = new Map<string, Compiled>();

interface Compiled {
  readonly matches: Matches;
  readonly fails: Matches;
}

/**
 * The messages that a selector accepts. Only true is: unknown isn't, nor an evaluation that fails. A text that is no selector accepts
 * nothing: `parseSelector` tells its owner so where it comes in.
 */
export const compileSelector = (text: string): Matches => recall(text).matches;

/** The messages for which a selector has no answer: it doesn't accept them, and its owner may have meant something else. */
export const failuresOf = (text: string): Matches => recall(text).fails;

const recall = (text: string): Compiled => {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const made = compiled(text);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= mostRemembered) remembered.delete(oldest);
  remembered.set(text, made);
  return made;
};

const compiled = (text: string): Compiled => {
  const selector = parseSelector(text);
  if ("fault" in selector) return { matches: () => false, fails: () => false };
  const evaluate = evaluatorOf(selector);
  const attempt = (message: Selectable, accepts: boolean): boolean => {
    try {
      return evaluate(message) === true && accepts;
    } catch (thrown) {
      if (thrown instanceof SelectorFailure) return !accepts;
      throw thrown;
    }
  };
  return { matches: (message) => attempt(message, true), fails: (message) => attempt(message, false) };
};
