import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from "node:crypto";
import { GetParameterCommand, type SSMClient } from "@aws-sdk/client-ssm";
import type { PublicKey } from "../core/message/hello.ts";
import type { Hash, Signer, Verify } from "../core/message/message.ts";
import { signTogether, verifyAlone } from "./signatures.ts";

/** A broker's signing key as it is kept and published. */
export interface KeyPair {
  /** PKCS8 DER in base64: the value of the SecureString parameter. */
  readonly privateKey: string;
  readonly publicKey: PublicKey;
}

export const sha256: Hash = (text) => hash("sha256", text);

export const makeKey = (): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"), publicKey: published(publicKey) };
};

/** The public half names itself: its id is the beginning of its own hash. */
const published = (publicKey: KeyObject): PublicKey => {
  const der = publicKey.export({ type: "spki", format: "der" });
  return { kid: hash("sha256", der).slice(0, 16), key: der.toString("base64") };
};

const privateKeyOf = (privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, "base64"), type: "pkcs8", format: "der" });

/** The public half of a private key as `makeKey` wrote it. */
export const publicKeyOf = (privateKey: string): PublicKey => published(createPublicKey(privateKeyOf(privateKey)));

/** Signs with a private key as `makeKey` wrote it; 34 µs for texts that go together. */
export const signerOf = (privateKey: string): Signer => {
  const key = privateKeyOf(privateKey);
  const { kid } = published(createPublicKey(key));
  const signText = (text: string): string => sign(null, Buffer.from(text), key).toString("base64");
  return { kid, sign: (texts) => signTogether(texts, signText) };
};

/** Judges by the keys at hand, ours and the peers'. A key that is none makes its signatures invalid and hurts no other. */
export const verifierOf = (keys: readonly PublicKey[]): Verify => {
  const held = new Map(keys.map((key) => [key.kid, key]));
  return (kid, text, signature) => {
    const key = held.get(kid);
    if (!key) return "unknown-key";
    return verifyAlone(text, signature, (signed, by) => isSignedBy(key, signed, by)) ? "valid" : "invalid";
  };
};

const isSignedBy = (key: PublicKey, text: string, signature: string): boolean => {
  try {
    const { publicKey, valid } = opened(key);
    const claim = `${signature} ${text}`;
    if (valid.has(claim)) return true;
    if (!verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64"))) return false;
    remember(valid, claim);
    return true;
  } catch {
    return false; // the key is none
  }
};

interface OpenedKey {
  readonly publicKey: KeyObject;
  /** The last that were found valid: messages that were signed together come together. */
  readonly valid: Set<string>;
}
const openedKeys = new WeakMap<PublicKey, OpenedKey>();

/** Opening a key costs more than checking a signature with it. */
const opened = (key: PublicKey): OpenedKey => {
  const publicKey = () => createPublicKey({ key: Buffer.from(key.key, "base64"), type: "spki", format: "der" });
  const known = openedKeys.get(key) ?? { publicKey: publicKey(), valid: new Set() };
  openedKeys.set(key, known);
  return known;
};

const remembered = 100;
const remember = (valid: Set<string>, claim: string): void => {
  valid.add(claim);
  for (const oldest of valid) if (valid.size > remembered) valid.delete(oldest);
};

/** Reads this broker's private key from its SecureString parameter. */
export const signerFrom = async (ssm: SSMClient, parameter: string): Promise<Signer> => {
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: parameter, WithDecryption: true }));
  if (!Parameter?.Value)
    throw new Error(`parameter ${parameter} holds no signing key: deploy the stack again, its custom resource makes one`);
  return signerOf(Parameter.Value);
};
