import { describe, expect, test } from "vitest";
import { awsTargets } from "../../aws/targets.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { usToEu } from "../support/worlds/world.ts";
import { targetsContract } from "./contracts/targets.ts";
import { orders, snsThat, sqsThat, unused, whereabouts } from "./fixtures.ts";

targetsContract("memory targets", openMemoryWorld);
targetsContract("SQS and SNS targets", useEmulatorWorlds());

describe("targets", () => {
  test("serve a slow peer last: what is local has been handed over by then, and its silence is the answer of the link only", async () => {
    const calls: string[] = [];
    const accepting = ({ Entries }: { readonly Entries: readonly { readonly Id: string }[] }) =>
      calls.push("local") && { Successful: Entries };
    const silent = () => {
      calls.push("link");
      throw Object.assign(new Error("no answer within 3000 ms"), { name: "TimeoutError" });
    };
    const targets = awsTargets({ whereabouts, sqs: sqsThat(accepting), sns: snsThat(unused), peerSqs: () => sqsThat(silent) });
    const wire = { body: "x", attributes: {} };
    const answers = await targets.handOver([
      { target: { to: "link", link: usToEu }, wire },
      { target: orders, wire },
    ]);
    expect(answers.map(({ answer }) => answer)).toEqual(["silent", "accepted"]);
    expect(calls).toEqual(["local", "link"]);
  });
});
