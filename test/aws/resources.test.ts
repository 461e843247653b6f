import { describe, expect, test } from "vitest";
import { awsResources } from "../../aws/resources.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { resourcesContract } from "./contracts/resources.ts";
import { prices, snsThat, sqsSays, sqsThat, unused, whereabouts } from "./fixtures.ts";

resourcesContract("memory resources", openMemoryWorld);
resourcesContract("AWS resources", useEmulatorWorlds());

describe("resources", () => {
  const makeQueueWith = async (answer: (input: never) => unknown, queue = "c1/1") =>
    awsResources({ whereabouts, network: "net", sqs: sqsThat(answer), sns: snsThat(unused) }).make({ make: "own-queue", queue });
  const madeQueue = async (queue: string) => {
    const made: { readonly Attributes: { readonly Policy: string }; readonly tags: object }[] = [];
    await makeQueueWith((input) => made.push(input) && {}, queue);
    return made[0];
  };

  test("a queue keeps its messages for 14 days, encrypted, and wears its record as tags", async () => {
    expect(await madeQueue("c1/1")).toMatchObject({
      QueueName: "spanmq-net-us-s-c1_x2f_1",
      Attributes: { MessageRetentionPeriod: "1209600", VisibilityTimeout: "30", SqsManagedSseEnabled: "true" },
      tags: { "spanmq:network": "net", "spanmq:broker": "us", "spanmq:destination": "c1/1" },
    });
  });

  test("a name that no tag can hold is tagged by its physical form", async () => {
    expect((await madeQueue("a$b"))?.tags).toMatchObject({ "spanmq:destination": "spanmq-net-us-s-a_x24_b" });
  });

  test("only topics of this broker may deliver to a client's own queue", async () => {
    const made = await madeQueue("c1");
    expect(JSON.parse(made?.Attributes.Policy ?? "").Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { Service: "sns.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: "arn:aws:sqs:us-east-1:000000000000:spanmq-net-us-s-c1",
        Condition: { ArnLike: { "aws:SourceArn": "arn:aws:sns:us-east-1:000000000000:spanmq-net-us-t-*" } },
      },
    ]);
  });

  test("a topic leaves room for our header below the 256 KiB that a message may have", async () => {
    const made: unknown[] = [];
    const sns = snsThat((input) => made.push(input) && {});
    await awsResources({ whereabouts, network: "net", sqs: sqsThat(unused), sns }).make({ make: "destination", destination: prices });
    expect(made).toMatchObject([{ Name: "spanmq-net-us-t-prices", Attributes: { MaximumMessageSize: "253952" } }]);
  });

  test.for(["QueueNameExists", "AWS.SimpleQueueService.QueueNameExists", "QueueAlreadyExists"])(
    "%s: what is there stays as it is",
    async (code) => {
      const making = makeQueueWith(() => {
        throw sqsSays(code);
      });
      await expect(making).resolves.toBeUndefined();
    },
  );

  test.for(["QueueDeletedRecently", "AWS.SimpleQueueService.QueueDeletedRecently"])("%s: the name is free in a minute", async (code) => {
    const making = makeQueueWith(() => {
      throw sqsSays(code);
    });
    await expect(making).rejects.toMatchObject({
      name: "QueueNameNotFree",
      retryAfterSeconds: 60,
      message: expect.stringContaining("spanmq-net-us-s-c1"),
    });
  });

  test("any other refusal is thrown", async () => {
    const making = makeQueueWith(() => {
      throw sqsSays("AccessDenied");
    });
    await expect(making).rejects.toMatchObject({ name: "AccessDenied" });
  });
});
