import { describe, expect, test } from "vitest";
import { sqsContents } from "../../aws/contents.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { contentsContract } from "./contracts/contents.ts";
import { sqsSays, sqsThat, whereabouts } from "./fixtures.ts";

contentsContract("memory queues", openMemoryWorld);
contentsContract("SQS queues", useEmulatorWorlds());

describe("a queue's contents", () => {
  test("that can't be read aren't taken for none", async () => {
    const sqs = sqsThat(() => {
      throw sqsSays("AccessDenied");
    });
    const { own } = await whereabouts();
    await expect(sqsContents(own, sqs).messagesIn("spanmq-net-us-q-x")).rejects.toMatchObject({ name: "AccessDenied" });
  });
});
