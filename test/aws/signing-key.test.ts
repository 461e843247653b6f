import { ParameterAlreadyExists, ParameterNotFound, SSMClient } from "@aws-sdk/client-ssm";
import { describe, expect, test } from "vitest";
import { makeKey, publicKeyOf } from "../../aws/keys.ts";
import { ssmSigningKey } from "../../aws/signing-key.ts";
import { stubbed } from "../support/stub.ts";

const answer = { $metadata: {}, message: "" };

/** SSM that keeps one parameter; `rival` is written by somebody else just before our own put. */
const keeping = (stored?: string, rival?: string) => {
  const state = { value: stored, calls: [] as string[] };
  const ssm = stubbed(new SSMClient({ region: "eu-west-1" }), (input: { Value?: string; WithDecryption?: boolean }) => {
    const call = input.Value !== undefined ? "put" : input.WithDecryption ? "get" : "delete";
    state.calls.push(call);
    if (call === "put") {
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
