import type { NativeAttribute, PropertyValue } from "../message/message.ts";

/** A number with its JMS type. A `decimal` is an integer literal too big for a `long`. */
export interface Numeric {
  readonly type: "byte" | "short" | "int" | "long" | "float" | "double" | "decimal";
  /** `bigint` for `long` and `decimal`. */
  readonly value: number | bigint;
}

/** Bytes or a list: there, but equal to nothing. */
export interface Opaque {
  readonly type: "opaque";
}

/** What an expression comes to; `null` is SQL's unknown. */
export type Value = boolean | string | Numeric | Opaque | null;

export const isNumeric = (value: Value): value is Numeric => typeof value === "object" && value !== null && value.type !== "opaque";

/** A selector's evaluation that ends in no answer, as adding text to a number does. The message then doesn't match. */
export class SelectorFailure extends Error {
  override readonly name = "SelectorFailure";
}

/** An integer as a literal of a selector has it: an `int` if it fits, else a `long`, else a `decimal`. */
export const integerOf = (value: bigint): Numeric => {
  if (value === BigInt.asIntN(32, value)) return { type: "int", value: Number(value) };
  return { type: value === BigInt.asIntN(64, value) ? "long" : "decimal", value };
};

/** Only what has a type of ours counts: `constructor` is a lawful name, and every object of the language has one. */
export const valueOfProperty = (property: PropertyValue | undefined): Value => {
  switch (property?.type) {
    case "string":
    case "boolean":
      return property.value;
    case "byte":
    case "short":
    case "int":
    case "double":
      return property;
    case "float":
      return { type: "float", value: Math.fround(property.value) };
    case "long":
      return { type: "long", value: BigInt(property.value) };
    default:
      return null;
  }
};

/** A plain producer's attribute is a property too: text, or the number that a literal of the same digits would be. */
export const valueOfNative = (attribute: NativeAttribute | undefined): Value => {
  if (attribute?.type === undefined) return null;
  if (attribute.type === "String") return attribute.value;
  return /^Number(\.|$)/.test(attribute.type) ? numberOf(attribute.value) : { type: "opaque" };
};

const numberOf = (text: string): Value => {
  if (/^[+-]?\d+$/.test(text)) return integerOf(BigInt(text.replace("+", "")));
  const value = Number(text);
  return Number.isNaN(value) ? { type: "opaque" } : { type: "double", value };
};
