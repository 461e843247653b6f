import { ParameterAlreadyExists, ParameterNotFound, SSMClient } from "@aws-sdk/client-ssm";
import { describe, expect, test } from "vitest";
import { makeKey, publicKeyOf } from "../../aws/keys.ts";
import { ssmSigningKey } from "../../aws/signing-key.ts";
import { stubbed } from "../support/stub.ts";

const answer = { $metadata: {}, message: "" };

/** SSM that keeps one parameter; `rival` is written by somebody else just before our own put. */
const keeping = (stored?: string, rival?: string) => {
  const state = { value: stored, calls: [] as string[], put: {} };
  const ssm = stubbed(new SSMClient({ region: "eu-west-1" }), (input: { Value?: string; WithDecryption?: boolean }) => {
    const call = input.Value !== undefined ? "put" : input.WithDecryption ? "get" : "delete";
    state.calls.push(call);
    if (call === "put") {
      state.put = input;
      if (rival !== undefined) state.value = rival;
      if (state.value !== undefined) throw new ParameterAlreadyExists(answer);
      state.value = input.Value;
      return {};
    }
    if (state.value === undefined) throw new ParameterNotFound(answer);
    if (call === "get") return { Parameter: { Value: state.value } };
    state.value = undefined;
    return {};
  });
  return { key: ssmSigningKey(ssm, "/spanmq/net/us/signing-key"), state };
};

describe("the signing key", () => {
  test("is made once and kept", async () => {
    const { key, state } = keeping();
    const made = await key.ensure();
    expect(await key.ensure()).toEqual(made);
    expect(state.calls).toEqual(["get", "put", "get"]);
    expect(publicKeyOf(state.value ?? "")).toEqual(made);
  });

  test("is stored encrypted, and its put overwrites nothing", async () => {
    const { key, state } = keeping();
    await key.ensure();
    expect(state.put).toMatchObject({ Name: "/spanmq/net/us/signing-key", Type: "SecureString", Overwrite: false });
  });

  test("that can't be read isn't taken for absent", async () => {
    const calls: object[] = [];
    const ssm = stubbed(new SSMClient({ region: "eu-west-1" }), (input: object) => {
      calls.push(input);
      throw Object.assign(new Error("no leave to decrypt"), { name: "AccessDeniedException" });
    });
    await expect(ssmSigningKey(ssm, "/key").ensure()).rejects.toThrow("no leave to decrypt");
    await expect(ssmSigningKey(ssm, "/key").remove()).rejects.toThrow("no leave to decrypt");
    expect(calls).toEqual([{ Name: "/key", WithDecryption: true }, { Name: "/key" }]);
  });

  test("that vanishes while it is read fails the deployment, and says to deploy again", async () => {
    const ssm = stubbed(new SSMClient({ region: "eu-west-1" }), ({ Value }: { Value?: string }) => {
      throw Value === undefined ? new ParameterNotFound(answer) : new ParameterAlreadyExists(answer);
    });
    await expect(ssmSigningKey(ssm, "/key").ensure()).rejects.toThrow("parameter /key was removed while it was read: deploy again");
  });

  test("that somebody else made meanwhile is taken over, not overwritten", async () => {
    const theirs = makeKey();
    const { key } = keeping(undefined, theirs.privateKey);
    expect(await key.ensure()).toEqual(theirs.publicKey);
  });

  test("is removed, also when it is gone already", async () => {
    const { key, state } = keeping(makeKey().privateKey);
    await key.remove();
    await key.remove();
    expect(state.value).toBeUndefined();
  });
});
