import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Connection } from "../../../client/index.ts";
import { catalogue, type FaultName } from "../../support/hostile/faults.ts";
import { seed } from "../../support/hostile/seed.ts";
import { useHostileNetwork } from "./a-hostile-network.ts";
import { untilDone } from "./exchange.ts";

const [queue, topic] = ["queue://orders.hostile.fifo", "topic://prices.hostile.fifo"];
const network = useHostileNetwork({ queues: ["orders.hostile.fifo"], topics: ["prices.hostile.fifo"] });

const groups = ["1", "2", "3"];
const received: string[] = [];
let us: Connection;
beforeAll(async () => {
  us = await network.connectTo("us");
  const eu = await network.connectTo("eu");
  await eu.consume(queue, ({ text }) => received.push(`queue ${text}`));
  await eu.subscribe(topic, ({ text }) => received.push(`topic ${text}`));
  await untilDone(() => eu.ready());
});

/** Each message's first arrival on a line (`queue 1`): a producer that wasn't answered has sent it again. */
const firsts = (line: string) => [...new Set(received.filter((text) => text.startsWith(line)))];

/** On each line one after the other, whatever the answers are. Answers what should come. */
const sendAll = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
  const send = async (way: "queue" | "topic", group: string) => {
    const texts = ["a", "b", "c"].map((letter) => `${group} ${letter}`);
    for (const text of texts)
      await untilDone(() => (way === "queue" ? us.send(queue, text, { groupId: group }) : us.publish(topic, text, { groupId: group })));
    return [`${way} ${group}`, texts.map((text) => `${way} ${text}`)] as const;
  };
  return Object.fromEntries(await Promise.all(groups.flatMap((group) => [send("queue", group), send("topic", group)])));
};

const comesAbout = (holds: () => boolean, seconds: number): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: seconds * 1_000, interval: 100 }).catch(() => false);

describe(`over a link whose calls fail, on fauxqs, which locks a group in flight (seed ${seed})`, () => {
  test("FIFO queues and topics lose nothing and keep each group's order", async () => {
    const faults: readonly FaultName[] = ["throttling", "partial-failures", "lost-answers", "hangs"];
    network.layer.ask(Object.fromEntries(faults.map((name) => [name, catalogue[name].rate / 2])));
    const sent = await sendAll();
    const isThere = () => Object.values(sent).every((texts) => texts.every((text) => received.includes(text)));
    // What a handler died at is carried again after the quarter of a minute in which another could be at it.
    if (!(await comesAbout(isThere, 40))) network.layer.calm();
    await comesAbout(isThere, 100);
    for (const [line, texts] of Object.entries(sent)) expect(firsts(line), line).toEqual(texts);
    expect(network.layer.unfired()).toEqual([]);
  });
});
