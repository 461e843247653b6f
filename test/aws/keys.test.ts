import { SSMClient } from "@aws-sdk/client-ssm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeKey, publicKeyOf, sha256, signerFrom, signerOf, verifierOf } from "../../aws/keys.ts";
import { stubbed } from "../support/stub.ts";

const ours = makeKey();
const theirs = makeKey();

describe("signing keys", () => {
  test("whatever is signed is valid by its public key, and by no other text", () => {
    const signer = signerOf(ours.privateKey);
    const verify = verifierOf([ours.publicKey]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(verify(signer.kid, text, signer.sign(text))).toBe("valid");
        expect(verify(signer.kid, `${text}.`, signer.sign(text))).toBe("invalid");
      }),
      { numRuns: 30 },
    );
  });

  test.for([
    {
      rule: "another's signature under our name is invalid",
      keys: [ours.publicKey],
      kid: ours.publicKey.kid,
      signature: signerOf(theirs.privateKey).sign("x"),
      verdict: "invalid",
    },
    { rule: "what is no signature is invalid", keys: [ours.publicKey], kid: ours.publicKey.kid, signature: "?", verdict: "invalid" },
    {
      rule: "a key that isn't held is unknown",
      keys: [theirs.publicKey],
      kid: ours.publicKey.kid,
      signature: signerOf(ours.privateKey).sign("x"),
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
      signature: signerOf(ours.privateKey).sign("x"),
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
