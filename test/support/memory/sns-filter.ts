import type { NativeAttribute, NativeAttributes } from "../../../core/message/message.ts";

type Keys = Readonly<Record<string, unknown>>;

/** What a filter policy lets pass, as AWS documents it for message attributes: one that has none passes no policy. */
export const passes = (policy: Keys, attributes: NativeAttributes): boolean =>
  Object.keys(policy).length === 0 || (Object.keys(attributes).length > 0 && holds(policy, attributes));

const holds = (policy: Keys, attributes: NativeAttributes): boolean =>
  Object.entries(policy).every(([name, conditions]) =>
    name === "$or"
      ? (conditions as readonly Keys[]).some((one) => holds(one, attributes))
      : (conditions as readonly unknown[]).some((condition) => meets(condition, attributes[name])),
  );

const meets = (condition: unknown, attribute: NativeAttribute | undefined): boolean => {
  if (typeof condition !== "object" || condition === null) return attribute !== undefined && valued(attribute) === condition;
  const { exists, prefix, suffix, numeric, "anything-but": other } = condition as Keys;
  if (exists === false) return attribute === undefined;
  if (attribute === undefined || attribute.type.startsWith("Binary")) return false;
  const value = valued(attribute);
  if (exists === true) return true;
  if (typeof prefix === "string") return typeof value === "string" && value.startsWith(prefix);
  if (typeof suffix === "string") return typeof value === "string" && value.endsWith(suffix);
  if (Array.isArray(numeric)) return typeof value === "number" && inRange(value, numeric);
  return [other].flat().every((one) => !meets(one, attribute));
};

const valued = ({ type, value }: NativeAttribute): string | number => (type.startsWith("Number") ? Number(value) : value);

const inRange = (value: number, [op, bound, ...rest]: readonly unknown[]): boolean => {
  const limit = Number(bound);
  const isIn = { "=": value === limit, "<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit }[String(op)];
  return isIn === true && (rest.length === 0 || inRange(value, rest));
};
