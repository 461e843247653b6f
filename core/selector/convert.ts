import { isNumeric, type Numeric, SelectorFailure, type Value } from "./values.ts";

/** Both sides of a comparison under `convert_string_expressions:`; `undefined` if the text isn't of the other side's type. */
export const converted = (left: Value, right: Value): readonly [Value, Value] | undefined => {
  if (typeof left === "string" && typeof right === "boolean") return [left.toLowerCase() === "true", right];
  if (typeof left === "boolean" && typeof right === "string") throw new SelectorFailure("a boolean doesn't compare with text on its right");
  if (typeof left === "string" && isNumeric(right)) {
    const number = parsed(left, right.type);
    return number && [number, right];
  }
  if (isNumeric(left) && typeof right === "string") {
    const number = parsed(right, left.type);
    return number && [left, number];
  }
  return [left, right];
};

const bits = { byte: 8, short: 16, int: 32, long: 64 } as const;

/** As the `valueOf` of Java's types. */
const parsed = (text: string, type: Numeric["type"]): Numeric | undefined => {
  switch (type) {
    case "float":
    case "double": {
      if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[df]?\s*$/i.test(text)) return undefined;
      const value = Number.parseFloat(text);
      return { type, value: type === "float" ? Math.fround(value) : value };
    }
    case "decimal":
      return undefined;
    default: {
      if (!/^[+-]?\d+$/.test(text)) return undefined;
      const value = BigInt(text.replace("+", ""));
      if (value !== BigInt.asIntN(bits[type], value)) return undefined;
      return { type, value: type === "long" ? value : Number(value) };
    }
  }
};
