import * as z from "zod";
import type { BrokerId } from "../ids.ts";
import { contents } from "./body.ts";
import { compactProperty } from "./properties.ts";
import { id, mapOf } from "./schema.ts";
import { parseJson } from "./text.ts";
import type { Undecodable } from "./undecodable.ts";

/** The wire format that this code writes. A later one sets `min` to the least version whose readers still understand it. */
export const wireVersion = 1;

/** What JMS clients set; counts whoever sent it. */
const jmsFields = {
  timestamp: z.int().exactOptional(),
  expiration: z.int().exactOptional(),
  priority: z.int().exactOptional(),
  deliveryMode: z.enum(["PERSISTENT", "NON_PERSISTENT"]).exactOptional(),
  correlationId: z.string().exactOptional(),
  replyTo: z.string().exactOptional(),
  type: z.string().exactOptional(),
  groupId: z.string().exactOptional(),
  groupSequence: z.int().exactOptional(),
  userId: z.string().exactOptional(),
  connection: z.string().exactOptional(),
};

/** The value of the `SpanMQ` attribute. What equals its default is left out; fields of newer versions are ignored. */
const headerSchema = z.object({
  v: z.int().min(1),
  ...jmsFields,
  properties: mapOf(compactProperty).exactOptional(),
  /** Attributes for which there was no room outside: name → type and value. */
  native: mapOf(z.tuple([z.string(), z.string()])).exactOptional(),
  content: z.enum(contents).exactOptional(),
  // Hop fields: these count only if signed.
  id: id<string>().exactOptional(),
  /** The broker that sent the message on and signed for it. */
  from: id<BrokerId>().exactOptional(),
  /** The broker path on arrival at `from`, or at the broker that holds the message: the receiver of a link appends the sender. */
  path: z.array(id<BrokerId>()).exactOptional(),
  destination: id<string>().exactOptional(),
  originalDestination: id<string>().exactOptional(),
  copies: z.int().min(0).exactOptional(),
  kid: id<string>().exactOptional(),
  sig: z.string().exactOptional(),
});
export type Header = z.output<typeof headerSchema>;

/** What clients set in a header, of which the hop fields are no part. */
export const jmsFieldsOf = (header: Header): Pick<Header, keyof typeof jmsFields> =>
  Object.fromEntries(Object.entries(header).filter(([name]) => Object.hasOwn(jmsFields, name)));

const isText = (value: unknown): boolean => typeof value === "string";
const isId = (value: unknown): boolean => typeof value === "string" && value !== "";

/** What nearly every header holds, and nothing else, is told by hand in a tenth of the schema's time. */
const usual: Readonly<Record<string, (value: unknown) => boolean>> = {
  v: (value) => value === wireVersion,
  timestamp: Number.isSafeInteger,
  expiration: Number.isSafeInteger,
  priority: Number.isSafeInteger,
  correlationId: isText,
  replyTo: isText,
  type: isText,
  groupId: isText,
  groupSequence: Number.isSafeInteger,
  id: isId,
  from: isId,
  path: (value) => Array.isArray(value) && value.every(isId),
  destination: isId,
  originalDestination: isId,
  kid: isId,
  sig: isText,
};

const isUsual = (json: unknown): json is Header => {
  if (typeof json !== "object" || json === null || !Object.hasOwn(json, "v")) return false;
  return Object.entries(json).every(([name, value]) => Object.hasOwn(usual, name) && usual[name]?.(value));
};

const versions = z.object({ min: z.int().default(1) });

export const parseHeader = (text: string): Header | Undecodable => {
  const json = parseJson(text);
  return isUsual(json) ? json : parseBySchema(json);
};

/** What any header is, usual or not. */
export const parseBySchema = (json: unknown): Header | Undecodable => {
  const needs = versions.safeParse(json).data?.min ?? 1;
  if (needs > wireVersion) return { fault: "newer-version", needs, known: wireVersion };
  const parsed = headerSchema.safeParse(json);
  return parsed.success ? parsed.data : { fault: "malformed-header", why: z.prettifyError(parsed.error) };
};
