import { describe, expect, test } from "vitest";
import { runningLinks } from "../../../../core/broker/sweep/running-links.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { type LinkRecord, newLink } from "../../../../core/link/link.ts";
import type { Hello } from "../../../../core/message/hello.ts";
import { sliceOf } from "../../../support/a-slice.ts";
import { memoryBrain } from "../../../support/memory/brain.ts";
import { networkOf } from "../../../support/simulator/topologies.ts";

const [toB, fromB] = [linkId(brokerId("a"), "to-b"), linkId(brokerId("b"), "to-a")];
const before = sliceOf(networkOf("a -> b, b -> a, b -> c", { removed: true }), "a");
const after = sliceOf(networkOf("a -> d"), "a");
const draining = { state: "draining", left: { undelivered: 3, subscriptions: 1 } } as const;
const stopped = { state: "stopped", since: 100 } as const;

describe("of the links that a deployment takes away", () => {
  const running = async ({ link, hello }: { link?: Partial<LinkRecord>; hello?: Partial<Hello> }) => {
    const brain = memoryBrain();
    if (link) await brain.write("link", "", toB, { ...newLink(toB), state: "started", answeredAt: 200, ...link }, 0);
    const heard = { link: fromB, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 5, ...hello };
    if (hello) await brain.write("hello", "", fromB, { hello: heard, heardAt: 5 }, 0);
    return (await runningLinks(brain, before, after)).map((one) => `${one.link} ${one.why}`);
  };

  test.for([
    { rule: "one that never had a peer may go", link: { answeredAt: 0 }, says: [] },
    { rule: "one that has stopped, as its receiver knows, may go", link: { removal: stopped }, says: [] },
    {
      rule: "one that has stopped and whose receiver is away may go",
      link: { removal: stopped, answeredAt: 50, state: "waiting for peer" as const },
      says: [],
    },
    { rule: "one whose receiver is being destroyed may go", link: { closedAt: 300 }, says: [] },
    { rule: "one that was never looked at is draining", link: {}, says: ["a:to-b is draining"] },
    {
      rule: "one that drains says what is left",
      link: { removal: draining },
      says: ["a:to-b is draining: 3 messages undelivered, 1 topics subscribed"],
    },
    {
      rule: "one whose receiver doesn't know yet stays",
      link: { removal: stopped, answeredAt: 99 },
      says: ["a:to-b has stopped, and its receiver hasn't answered yet"],
    },
    { rule: "an inbound whose owner has stopped may go", hello: { stopped: true as const }, says: [] },
    { rule: "an inbound whose owner hasn't said so stays", hello: {}, says: ["b:to-a hasn't stopped at b, which sends"] },
  ])("$rule", async ({ says, ...found }) => {
    expect(await running(found)).toEqual(says);
  });

  test("none is asked about that stays, or ends elsewhere", async () => {
    const brain = memoryBrain();
    await brain.write("link", "", toB, { ...newLink(toB), answeredAt: 1 }, 0);
    expect(await runningLinks(brain, before, before)).toEqual([]);
    expect(await runningLinks(brain, sliceOf(networkOf("a -> b, b -> c"), "c"), sliceOf(networkOf("c -> d"), "c"))).toEqual([]);
  });
});
