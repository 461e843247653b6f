import * as z from "zod";
import type { BrokerId, LinkId } from "../ids.ts";
import { probeAttribute, textAttribute } from "./attributes.ts";
import type { Hello } from "./hello.ts";
import type { WireMessage } from "./message.ts";
import { id } from "./schema.ts";
import { legalJson, parseJson } from "./text.ts";
import type { Undecodable } from "./undecodable.ts";

export const helloSchema = z.object({
  link: id<LinkId>(),
  from: id<BrokerId>(),
  to: id<BrokerId>(),
  digest: z.string(),
  advisoryFilter: z.array(z.string()),
  keys: z.array(z.object({ kid: z.string(), key: z.string() })),
  counter: z.int(),
  stopped: z.literal(true).optional(),
}) satisfies z.ZodType<Hello>;

/** A hello as it travels through a link's own inbound queue: what proves that the link carries. */
export const encodeProbe = (hello: Hello): WireMessage => ({
  body: legalJson(hello),
  attributes: { [probeAttribute]: textAttribute("1") },
});

/** Only a probe of the link itself may come through its inbound queue. */
export const decodeProbe = (body: string, door: LinkId): Hello | Undecodable => {
  const { success, data, error } = helloSchema.safeParse(parseJson(body));
  if (!success) return { fault: "malformed-probe", why: z.prettifyError(error) };
  return data.link === door ? data : { fault: "foreign-probe", link: data.link, door };
};
