import { createHash } from "node:crypto";

const known = new Map<string, string>();

/** Names are hashed again and again: simulations remember. */
export const sha256 = (text: string): string => {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= 20_000) known.clear();
  const digest = createHash("sha256").update(text).digest("hex");
  known.set(text, digest);
  return digest;
};
