import { hash } from "node:crypto";
import type { PublicKey } from "../../../core/message/hello.ts";
import type { Signer, Verify } from "../../../core/message/message.ts";

/** A broker's key in a simulation. Ed25519 would cost more than all else there: who has the key hashes it with the text, and nobody forges. */
export const simulatedKey = (name: string): { readonly publicKey: PublicKey; readonly signer: Signer } => {
  const publicKey = { kid: `kid-${name}`, key: name };
  return { publicKey, signer: { kid: publicKey.kid, sign: (texts) => texts.map((text) => signatureOf(publicKey, text)) } };
};

const signatureOf = ({ key }: PublicKey, text: string): string => hash("sha256", `${key} ${text}`, "base64");

export const simulatedVerify =
  (keys: readonly PublicKey[]): Verify =>
  (kid, text, signature) => {
    const key = keys.find((one) => one.kid === kid);
    if (!key) return "unknown-key";
    return signature === signatureOf(key, text) ? "valid" : "invalid";
  };
