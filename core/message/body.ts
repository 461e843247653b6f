import type { Body } from "./message.ts";
import { fromBase64, fromUtf16, isXmlLegal, toBase64, toUtf16 } from "./text.ts";

/** What a wire body is when it isn't the text itself: bytes, text that XML forbids, or nothing (SQS refuses an empty body). */
export const contents = ["base64", "utf16", "empty-text", "empty-bytes"] as const;
export type Content = (typeof contents)[number];

const placeholder = "(empty)";

export const encodeBody = (body: Body): { readonly body: string; readonly content?: Content } => {
  if (body.type === "bytes") {
    return body.bytes.length === 0 ? { body: placeholder, content: "empty-bytes" } : { body: toBase64(body.bytes), content: "base64" };
  }
  if (body.text === "") return { body: placeholder, content: "empty-text" };
  return isXmlLegal(body.text) ? { body: body.text } : { body: toBase64(toUtf16(body.text)), content: "utf16" };
};

/** `undefined` when the body isn't what its content marker says. */
export const decodeBody = (wire: string, content: Content | undefined): Body | undefined => {
  switch (content) {
    case undefined:
      return { type: "text", text: wire };
    case "empty-text":
      return { type: "text", text: "" };
    case "empty-bytes":
      return { type: "bytes", bytes: new Uint8Array() };
    case "base64": {
      const bytes = fromBase64(wire);
      return bytes && { type: "bytes", bytes };
    }
    case "utf16": {
      const bytes = fromBase64(wire);
      return bytes && { type: "text", text: fromUtf16(bytes) };
    }
    default:
      return content satisfies never;
  }
};
