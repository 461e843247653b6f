import type { Token } from "./tokens.ts";
import { integerOf, type Numeric } from "./values.ts";

export const stringOf = ({ text }: Token): string => text.slice(1, -1).replaceAll("''", "'");

/** `undefined` for a hexadecimal or octal number of more than 64 bits; a decimal one may have any length. */
export const numberOf = ({ kind, text }: Token): Numeric | undefined => {
  if (kind === "float") return { type: "double", value: Number(text) };
  if (kind === "decimal") return integerOf(BigInt(text.replace(/l$/i, "")));
  const number = integerOf(BigInt(kind === "hex" ? text : `0o${text}`));
  return number.type === "decimal" ? undefined : number;
};
