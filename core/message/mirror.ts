import { headerAttribute } from "./attributes.ts";
import type { NativeAttribute, NativeAttributes, PropertyValue } from "./message.ts";
import { isXmlLegal } from "./text.ts";

/*
 * SNS filters by native attributes only. One is open if SNS compares it as a selector does, and nobody takes it for a value of another
 * type, not even who reads numbers out of text.
 */

/** What is a name to a selector and to AWS, and not the name of the header. */
export const isOpenName = (name: string): boolean => name !== headerAttribute && /^[a-z_]\w{0,99}$/i.test(name);

/** SNS compares numbers to five decimals, up to 10^9. */
export const isOpenNumber = (value: number): boolean =>
  Math.abs(value) <= 1e9 && Number(value.toFixed(5)) === value && !Object.is(value, -0);

const longestText = 128;

/** SNS wants quotation marks and backslashes escaped twice; `true` and `false` stand for booleans; a number has one form. */
export const isOpenText = (text: string): boolean => {
  const number = Number(text) + 0;
  const isOddNumber = isOpenNumber(number) && `${number}` !== text;
  return text !== "" && text.length <= longestText && isXmlLegal(text) && !/["\\]|^(true|false)$/.test(text) && !isOddNumber;
};

export const isOpen = ([name, { type, value }]: readonly [string, NativeAttribute]): boolean => {
  if (!isOpenName(name)) return false;
  return type === "String" ? isOpenText(value) : type === "Number" && isOpenNumber(Number(value)) && `${Number(value)}` === value;
};

/** Properties as open attributes: all of them, or `undefined`. A null is as good as none. */
export const mirrorsOf = (properties: Readonly<Record<string, PropertyValue>>): NativeAttributes | undefined => {
  const mirrors: [string, NativeAttribute][] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (property.type === "null") continue;
    const mirror = mirrorOf(property);
    if (mirror === undefined || !isOpenName(name)) return undefined;
    mirrors.push([name, mirror]);
  }
  return Object.fromEntries(mirrors);
};

const mirrorOf = (property: Exclude<PropertyValue, { type: "null" }>): NativeAttribute | undefined => {
  switch (property.type) {
    case "string":
      return isOpenText(property.value) ? { type: "String", value: property.value } : undefined;
    case "boolean":
      return { type: "String", value: `${property.value}` };
    default: {
      const value = property.type === "float" ? Math.fround(property.value) : Number(property.value);
      return isOpenNumber(value) ? { type: "Number", value: `${value}` } : undefined;
    }
  }
};
