import type { NativeAttribute, NativeAttributes } from "./message.ts";
import { isXmlLegal } from "./text.ts";

/** The message attributes that are ours. `destination` is anybody's, and means something on ingress only. */
export const headerAttribute = "SpanMQ";
export const fromAttribute = "SpanMQ.from";
export const probeAttribute = "SpanMQ.probe";
/** On what goes to a topic: not all that a selector may ask for stands outside the header. */
export const hiddenAttribute = "SpanMQ.hidden";
export const deadLetterAttribute = "SpanMQ.deadLetter";
export const destinationAttribute = "destination";

const isOurs = (name: string): boolean => /^SpanMQ(\.|$)/.test(name);

/** SQS allows ten attributes and needs two for us; raw delivery from SNS discards a message that has more. */
export const nativeLimit = 8;

export const textAttribute = (value: string): NativeAttribute => ({ type: "String", value });

/** The value of a text attribute; `undefined` when it is absent or no text. */
export const textOf = (attributes: NativeAttributes, name: string): string | undefined => {
  const attribute = attributes[name];
  return attribute?.type === "String" ? attribute.value : undefined;
};

/** AWS would refuse the whole message for one name of its own, one empty value or one illegal character. */
const mayTravel = ([name, { type, value }]: [string, NativeAttribute]) =>
  /^(?!aws\.|amazon\.)[\w-]+(\.[\w-]+)*$/i.test(name) && /^(String|Number|Binary)(\.|$)/.test(type) && value !== "" && isXmlLegal(value);

/** Parts a producer's attributes into those that stay native and those that must travel inside the header. */
export const splitNative = (native: NativeAttributes, taken: readonly string[] = [], limit = nativeLimit) => {
  const entries = Object.entries(native);
  const free = entries.filter((entry) => !isOurs(entry[0]) && !taken.includes(entry[0]) && mayTravel(entry));
  const carried = free.slice(0, limit);
  const inside = entries.filter((entry) => !carried.includes(entry));
  return { carried: Object.fromEntries(carried), inside: Object.fromEntries(inside) };
};

/** A producer's attributes as they arrived: without ours, and without copies of properties. */
export const nativeOf = (attributes: NativeAttributes, properties: object): NativeAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !isOurs(name) && !Object.hasOwn(properties, name)));
