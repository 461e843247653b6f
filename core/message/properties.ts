import * as z from "zod";
import type { PropertyValue } from "./message.ts";

/** A property in a header: text, boolean and null as they are, numbers with a letter for their type; a long, -0 and what JSON lacks as text. */
const tags = { byte: "b", short: "s", int: "i", float: "f", double: "d", long: "l" } as const;
const numberText = z.string().regex(/^(NaN|-?Infinity|-0)$/);

export const compactProperty = z.union([
  z.string(),
  z.boolean(),
  z.null(),
  z.tuple([z.enum(["b", "s", "i"]), z.int()]),
  z.tuple([z.enum(["f", "d"]), z.union([z.number(), numberText])]),
  z.tuple([z.literal("l"), z.string().regex(/^-?\d+$/)]),
]);
export type CompactProperty = z.infer<typeof compactProperty>;

/** JSON knows neither -0 nor what isn't finite. */
const compactNumber = (value: number) => {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : `${value}`;
};

export const encodeProperty = (property: PropertyValue): CompactProperty => {
  switch (property.type) {
    case "string":
    case "boolean":
      return property.value;
    case "null":
      return null;
    case "long":
      return [tags.long, property.value];
    case "float":
    case "double":
      return [tags[property.type], compactNumber(property.value)];
    default:
      return [tags[property.type], property.value];
  }
};

const types = { b: "byte", s: "short", i: "int", f: "float", d: "double" } as const;

export const decodeProperty = (compact: CompactProperty): PropertyValue => {
  if (compact === null) return { type: "null" };
  if (typeof compact === "string") return { type: "string", value: compact };
  if (typeof compact === "boolean") return { type: "boolean", value: compact };
  if (compact[0] === "l") return { type: "long", value: compact[1] };
  return { type: types[compact[0]], value: Number(compact[1]) };
};
