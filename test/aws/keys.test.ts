import { SSMClient } from "@aws-sdk/client-ssm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeKey, publicKeyOf, sha256, signerFrom, signerOf, verifierOf } from "../../aws/keys.ts";
import type { Signer } from "../../core/message/message.ts";
import { stubbed } from "../support/stub.ts";

const ours = makeKey();
const theirs = makeKey();
const alone = (signer: Signer, text: string): string => signer.sign([text])[0] ?? "";

describe("signing keys", () => {
  test("whatever is signed is valid by its public key, and by no other text", () => {
    const signer = signerOf(ours.privateKey);
    const verify = verifierOf([ours.publicKey]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(verify(signer.kid, text, alone(signer, text))).toBe("valid");
        expect(verify(signer.kid, `${text}.`, alone(signer, text))).toBe("invalid");
      }),
      { numRuns: 30 },
    );
  });

  test("of texts signed together each is valid alone, again and again, and by no other's signature", () => {
    const signer = signerOf(ours.privateKey);
    const verify = verifierOf([ours.publicKey]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 11 }), (texts) => {
        const signatures = signer.sign(texts);
        const verdicts = texts.map((text) => signatures.map((signature) => verify(signer.kid, text, signature)));
        expect(verdicts).toEqual(texts.map((_, row) => signatures.map((_, column) => (row === column ? "valid" : "invalid"))));
      }),
      { numRuns: 30 },
    );
  });

  test("nobody's signature for what leads to a root is one for the text itself, nor one for another's root", () => {
    const [sent, forged] = [signerOf(ours.privateKey).sign(["a", "b"]), signerOf(theirs.privateKey).sign(["a", "b"])];
    const verify = verifierOf([ours.publicKey]);
    const [signature = "", ...path] = sent[0]?.split(":") ?? [];
    const [foreign = ""] = forged[0]?.split(":") ?? [];
    for (const carried of [signature, foreign, forged[0] ?? "", [foreign, ...path].join(":"), [signature, ...path, ...path].join(":")])
      expect(verify(ours.publicKey.kid, "a", carried)).toBe("invalid");
  });

  test.for([
    {
      rule: "another's signature under our name is invalid",
      keys: [ours.publicKey],
      kid: ours.publicKey.kid,
      signature: alone(signerOf(theirs.privateKey), "x"),
      verdict: "invalid",
    },
    { rule: "what is no signature is invalid", keys: [ours.publicKey], kid: ours.publicKey.kid, signature: "?", verdict: "invalid" },
    {
      rule: "a key that isn't held is unknown",
      keys: [theirs.publicKey],
      kid: ours.publicKey.kid,
      signature: alone(signerOf(ours.privateKey), "x"),
      verdict: "unknown-key",
    },
    {
      rule: "a key that is none makes its signatures invalid",
      keys: [{ kid: "bad", key: "AAAA" }],
      kid: "bad",
      signature: "AAAA",
      verdict: "invalid",
    },
    {
      rule: "and hurts no other key",
      keys: [{ kid: "bad", key: "AAAA" }, ours.publicKey],
      kid: ours.publicKey.kid,
      signature: alone(signerOf(ours.privateKey), "x"),
      verdict: "valid",
    },
  ])("$rule", ({ keys, kid, signature, verdict }) => {
    expect(verifierOf(keys)(kid, "x", signature)).toBe(verdict);
  });

  test("no two keys share an id, and the public half follows from the private one", () => {
    expect(ours.publicKey.kid).toMatch(/^[0-9a-f]{16}$/);
    expect(ours.publicKey.kid).not.toBe(theirs.publicKey.kid);
    expect(publicKeyOf(ours.privateKey)).toEqual(ours.publicKey);
    expect(signerOf(ours.privateKey).kid).toBe(ours.publicKey.kid);
  });

  test("the private key is read decrypted from its parameter", async () => {
    const asked: unknown[] = [];
    const ssm = stubbed(new SSMClient({ region: "eu-west-1" }), (input) => asked.push(input) && { Parameter: { Value: ours.privateKey } });
    expect((await signerFrom(ssm, "/spanmq/n/us/signing-key")).kid).toBe(ours.publicKey.kid);
    expect(asked).toEqual([{ Name: "/spanmq/n/us/signing-key", WithDecryption: true }]);
  });

  test("an empty parameter is said in words", async () => {
    const ssm = stubbed(new SSMClient({ region: "eu-west-1" }), () => ({}));
    await expect(signerFrom(ssm, "/spanmq/n/us/signing-key")).rejects.toThrow(
      "/spanmq/n/us/signing-key holds no signing key: deploy the stack again",
    );
  });

  test("sha256 is that of the standard, of UTF-8 text", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("ü")).not.toBe(sha256("u"));
  });
});
