import * as z from "zod";
import { parseSelector } from "../../selector/parse.ts";

const longest = 2_000;

/** What is wrong with the text of a selector. */
export const judgeSelector = (text: string): string | undefined => {
  if (text.length > longest) return `must be a selector of at most ${longest} characters`;
  const parsed = parseSelector(text);
  if (!("fault" in parsed)) return undefined;
  const { column, expected, found } = parsed;
  return `must be a selector: at column ${column} ${expected} is expected, not ${found}`;
};

export const selectorText = () =>
  z.string("must be a selector such as region = 'eu' AND amount > 1000").check((found) => {
    const fault = judgeSelector(found.value);
    if (fault !== undefined) found.issues.push({ code: "custom", message: fault, input: found.value });
  });
