import { describe, expect, test } from "vitest";
import { awsMadeThings } from "../../aws/made-things.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { madeThingsContract } from "./contracts/made-things.ts";
import { snsThat, sqsSays, sqsThat, unused, whereabouts } from "./fixtures.ts";

madeThingsContract("memory things", openMemoryWorld);
madeThingsContract("AWS things", useEmulatorWorlds());

const ours = { "spanmq:network": "net", "spanmq:broker": "us", "spanmq:destination": "x" };

describe("made things", () => {
  /** SQS with these queues and their tags, two to a page; SNS has no topic. */
  const listing = async (queues: Readonly<Record<string, object>>) => {
    const { own } = await whereabouts();
    const sizes: unknown[] = [];
    const sqs = sqsThat((input: { QueueNamePrefix?: string; NextToken?: string; MaxResults?: number; QueueUrl?: string }) => {
      if (input.QueueUrl) return { Tags: queues[input.QueueUrl.split("/").at(-1) ?? ""] };
      sizes.push(input.MaxResults);
      const urls = Object.keys(queues)
        .filter((name) => name.startsWith(input.QueueNamePrefix ?? ""))
        .map((name) => `https://anything/000000000000/${name}`);
      const from = Number(input.NextToken ?? 0);
      return { QueueUrls: urls.slice(from, from + 2), ...(urls.length > from + 2 && { NextToken: String(from + 2) }) };
    });
    const sns = snsThat(() => ({ Topics: [] }));
    return { things: await awsMadeThings({ network: "net", own, sqs, sns }).list(), sizes };
  };

  test("are listed over all pages, each of which is asked for by its size: without one SQS ends after the first", async () => {
    const names = Array.from({ length: 5 }, (_, i) => `spanmq-net-us-q-${i}`);
    const { things, sizes } = await listing(Object.fromEntries(names.map((name) => [name, ours])));
    expect(things).toEqual(names.map((name) => ({ service: "sqs", name })));
    expect(sizes).toEqual([1000, 1000, 1000, 1000, 1000]); // three of destinations, one of each other kind
  });

  test.for([
    { rule: "untagged ones", tags: {} },
    { rule: "another network's", tags: { ...ours, "spanmq:network": "other" } },
    { rule: "another broker's", tags: { ...ours, "spanmq:broker": "us2" } },
    { rule: "CloudFormation's, which wear no destination", tags: { "spanmq:network": "net", "spanmq:broker": "us" } },
  ])("don't include $rule", async ({ tags }) => {
    expect((await listing({ "spanmq-net-us-q-x": tags })).things).toEqual([]);
  });

  test("of all kinds that control makes are found by their prefixes: queues, clients' queues, temporary ones", async () => {
    const names = ["spanmq-net-us-q-x", "spanmq-net-us-s-x", "spanmq-net-us-tmp-x"];
    const others = ["spanmq-net-us-sys-ingress", "spanmq-net-us-in-eu-x", "spanmq-net-us2-q-x"];
    const { things } = await listing(Object.fromEntries([...names, ...others].map((name) => [name, ours])));
    expect(things.map(({ name }) => name)).toEqual(names);
  });

  test.for([
    { rule: "one that went since is none", code: "QueueDoesNotExist", listed: [] },
    { rule: "one that can't be judged stops the sweep", code: "AccessDenied", listed: undefined },
  ])("$rule", async ({ code, listed }) => {
    const { own } = await whereabouts();
    const sqs = sqsThat((input: { QueueUrl?: string }) => {
      if (input.QueueUrl) throw sqsSays(code);
      return { QueueUrls: ["https://anything/000000000000/spanmq-net-us-q-x"] };
    });
    const listing = awsMadeThings({ network: "net", own, sqs, sns: snsThat(() => ({ Topics: [] })) }).list();
    if (listed) expect(await listing).toEqual(listed);
    else await expect(listing).rejects.toMatchObject({ name: code });
  });

  test("that can't be removed are said", async () => {
    const { own } = await whereabouts();
    const sqs = sqsThat(() => {
      throw sqsSays("AccessDenied");
    });
    const removing = awsMadeThings({ network: "net", own, sqs, sns: snsThat(unused) }).remove({
      service: "sqs",
      name: "spanmq-net-us-q-x",
    });
    await expect(removing).rejects.toMatchObject({ name: "AccessDenied" });
  });
});
