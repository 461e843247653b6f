import { generateKeyPairSync, sign, verify } from "node:crypto";
import type { Signer, Verify } from "../../core/message/message.ts";

/** A broker's signing key, made anew for each call. */
export const aKey = (kid: string): { readonly signer: Signer; readonly verify: Verify } => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    signer: { kid, sign: (texts) => texts.map((text) => sign(null, Buffer.from(text), privateKey).toString("base64")) },
    verify: (asked, text, signature) => {
      if (asked !== kid) return "unknown-key";
      return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64")) ? "valid" : "invalid";
    },
  };
};
