import { describe, expect, test } from "vitest";
import { sqsProbes } from "../../aws/probes.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { us, usToEu } from "../support/worlds/world.ts";
import { probesContract } from "./contracts/probes.ts";
import { sqsSays, sqsThat, whereabouts } from "./fixtures.ts";

probesContract("memory probes", openMemoryWorld);
probesContract("AWS probes", useEmulatorWorlds());

describe("probes", () => {
  test("a peer that doesn't admit us is none", async () => {
    const probes = sqsProbes(whereabouts, () =>
      sqsThat(() => {
        throw sqsSays("AccessDenied");
      }),
    );
    const hello = { link: usToEu, from: us, to: us, digest: "", advisoryFilter: [], keys: [], counter: 1 };
    expect(await probes.send(hello)).toBe("no-peer");
  });
});
