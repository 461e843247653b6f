import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf, pair } from "../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";
const minute = 60_000;

/** Messages that say of which kind they are, by property and by body. */
const send = (net: SimulatedNetwork, at: string, kind: string, count: number, to = queue): void =>
  net.send(at, to, bodies(kind, count), { properties: { kind: { type: "string", value: kind }, size: { type: "int", value: count } } });
const consumer = async (net: SimulatedNetwork, at: string, selector?: string, to = queue): Promise<SimulatedClient> => {
  const client = net.connect(at);
  await client.consume(to, selector === undefined ? {} : { selector });
  await net.run();
  return client;
};
const wanting = (kind: string): string => `kind = '${kind}'`;
const networkThat = (ways: string, connector: Connector = {}, policy: object = {}) => {
  const destinationPolicies = [{ destination: "queue://>", ...policy }];
  const brokers = Object.fromEntries(["a", "b", "c"].filter((id) => ways.includes(id)).map((id) => [id, { destinationPolicies }]));
  return simulate(networkOf(ways, connector, { brokers }));
};
const passOf = async (net: SimulatedNetwork, at: string) => (await net.broker(at).brain.read("pass", "", queue))?.value.pass;

describe("of a queue's messages", () => {
  test("each goes to whom its selector takes it, and one that nobody takes stops no other", async () => {
    const net = await networkThat(pair);
    const [x, y] = [await consumer(net, "a", wanting("x")), await consumer(net, "a", wanting("y"))];
    for (const kind of ["z", "x", "z", "y"]) send(net, "a", kind, 3);
    await net.run();
    expect([x.bodies(), y.bodies(), net.depth("a", queue)]).toEqual([bodies("x", 3), bodies("y", 3), 6]);
  });

  test("those that wait go to the next that wants them, in one pass", async () => {
    const net = await networkThat(pair);
    await consumer(net, "a", wanting("x"));
    for (const kind of ["z", "y"]) send(net, "a", kind, 30);
    await net.run();
    const late = await consumer(net, "a", wanting("y"));
    expect([late.bodies().toSorted(), net.depth("a", queue)]).toEqual([bodies("y", 30).toSorted(), 30]);
  });

  test("those that nobody wants aren't looked at over and over", async () => {
    const net = await networkThat(pair);
    await consumer(net, "a", wanting("x"));
    send(net, "a", "z", 30);
    await net.run(10 * minute);
    const before = await passOf(net, "a");
    await net.run(60 * minute);
    expect(await passOf(net, "a")).toBe(before);
  });

  test("those in the private queue of a consumer that left go to others that want them, or rest", async () => {
    const net = await networkThat(pair);
    const gone = await consumer(net, "a", "kind IN ('x', 'y')");
    gone.pause();
    for (const kind of ["x", "y"]) send(net, "a", kind, 5);
    await net.run();
    const y = await consumer(net, "a", wanting("y"));
    await gone.close();
    await net.run(30 * minute);
    expect([y.bodies().toSorted(), net.depth("a", queue)]).toEqual([bodies("y", 5).toSorted(), 5]);
  });

  test("those that several want are shared exactly among these", async () => {
    const net = await networkThat(pair, { conduitSubscriptions: false });
    const here = { x: await consumer(net, "a", wanting("x")), all: await consumer(net, "a", "TRUE") };
    const there = { xy: await consumer(net, "b", "kind IN ('x', 'y')"), x: await consumer(net, "b", wanting("x")) };
    for (let n = 0; n < 8; n += 1) for (const kind of ["x", "y"]) send(net, "a", kind, 1);
    await net.run();
    const got = ({ received }: SimulatedClient) =>
      ["x", "y"].map((kind) => received.filter(({ message }) => message.body.type === "text" && message.body.text.startsWith(kind)).length);
    expect([here.x, here.all].map(got)).toEqual([
      [2, 0],
      [2, 4],
    ]);
    expect([there.xy, there.x].map(got).map(([x = 0, y]) => [x > 0, y])).toEqual([
      [true, 4],
      [true, 0],
    ]);
    expect(there.xy.received.length + there.x.received.length).toBe(8);
  });
});
