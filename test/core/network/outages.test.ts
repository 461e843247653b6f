import { describe, expect, test } from "vitest";
import type { HandOverAnswer } from "../../../core/ports.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const second = 1_000;
const minute = 60 * second;
const far = "queue://far";

/** A network a -> b whose b consumes a queue; a has a consumer of another one. */
const network = async () => {
  const net = await simulate(networkOf(pair));
  const [there, here] = [net.connect("b"), net.connect("a")];
  await there.consume(far);
  await here.consume("queue://near");
  await net.run();
  return { net, there, here };
};
const breakersAt = async (net: SimulatedNetwork, at: string) =>
  (await net.broker(at).brain.read("broker", "", "broker"))?.value.breakers ?? [];
const waiting = (net: SimulatedNetwork): number => {
  const { where, slice } = net.broker("a");
  const depth = net.cloud.queues.depth(where.undelivered(slice.connectors[0]?.link ?? ("" as never))?.arn ?? "");
  return (depth?.visible ?? 0) + (depth?.inFlight ?? 0);
};

describe("a peer that refuses", () => {
  test("opens the link's breaker: what would go there rests, what doesn't isn't disturbed, and all goes on when it is back", async () => {
    const { net, there, here } = await network();
    net.cut("a", "b");
    net.send("a", far, bodies("m", 30));
    net.send("a", "queue://near", ["n"]);
    await net.run(10 * second);
    expect(await breakersAt(net, "a")).toEqual(["a:to-b"]);
    expect(here.bodies()).toEqual(["n"]);
    expect(net.depth("a", far)).toBe(30);
    net.heal("a", "b");
    await net.run(2 * minute);
    expect(await breakersAt(net, "a")).toEqual([]);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 30).toSorted());
  });

  test("for longer than a tick: what rested moves on when it is back", async () => {
    const { net, there } = await network();
    net.cut("a", "b");
    net.send("a", far, bodies("m", 30));
    await net.run(20 * minute);
    expect(net.depth("a", far)).toBe(30);
    net.heal("a", "b");
    await net.run(2 * minute);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 30).toSorted());
  });

  test("though its probes cross: it is tried a few times a minute at most", async () => {
    const { net } = await network();
    const { targets } = net.broker("a").ports;
    const { handOver } = targets;
    let tried = 0;
    const throttled: HandOverAnswer = { answer: "refused", cause: "throttled", why: "throttled" };
    const refusing: typeof handOver = (handOvers) => {
      const isForLink = handOvers.some(({ target }) => target.to === "link");
      tried += isForLink ? 1 : 0;
      return isForLink ? Promise.resolve(handOvers.map(() => throttled)) : handOver(handOvers);
    };
    Object.assign(targets, { handOver: refusing });
    net.send("a", far, bodies("m", 30));
    await net.run(10 * minute);
    expect(tried).toBeLessThan(30);
    expect(net.depth("a", far)).toBe(30);
  });

  test("gets no message handed while the breaker is open, however many come", async () => {
    const { net } = await network();
    net.cut("a", "b");
    net.send("a", far, ["first"]);
    await net.run(10 * second);
    const before = net.broker("a").outcomes.length;
    net.send("a", far, bodies("m", 50));
    await net.run(10 * second);
    const reasons = net
      .broker("a")
      .outcomes.slice(before)
      .flatMap(({ steps }) => steps.map(({ verdict, reason }) => `${verdict} ${reason}`));
    expect(new Set(reasons)).toEqual(new Set(["rested breaker-open"]));
  });

  test("spends no receive of a message that waits for it, even for an hour", async () => {
    const { net, there } = await network();
    net.cut("a", "b");
    net.send("a", far, bodies("m", 5));
    await net.run(60 * minute);
    expect(net.deadLetters("a")).toEqual([]);
    net.heal("a", "b");
    await net.run(5 * minute);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 5).toSorted());
  });
});

describe("when the breaker closes", () => {
  /** So many messages sent during a cut, and the moment after the breaker's closing. */
  const closing = async (count: number) => {
    const { net, there } = await network();
    net.cut("a", "b");
    net.send("a", far, bodies("m", count));
    await net.run(5 * minute);
    expect(net.depth("a", far)).toBe(count);
    net.heal("a", "b");
    while ((await breakersAt(net, "a")).length > 0) await net.run(100);
    return { net, there };
  };

  test("1,000 messages sent during the cut arrive within 10 seconds", async () => {
    const { net, there } = await closing(1_000);
    await net.run(10 * second);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 1_000).toSorted());
  });

  test("live messages come first: a backlog moves 500 a second", async () => {
    const { net, there } = await closing(3_000);
    expect(net.depth("a", far)).toBe(2_500);
    await net.run(1.5 * second); // dispatch knows a second later
    net.send("a", far, ["live"]);
    await net.run(100);
    expect([there.bodies().includes("live"), net.depth("a", far)]).toEqual([true, 2_000]);
    await net.run(10 * second);
    expect(there.received).toHaveLength(3_001);
  });

  test("what waits for the link alone moves at the same rate", async () => {
    const { net, there } = await network();
    net.hush("a", "b", "hangs");
    net.send("a", far, bodies("m", 10));
    await net.run(second);
    const { where, slice } = net.broker("a");
    const { arn } = where.undelivered(slice.connectors[0]?.link ?? ("" as never)) ?? { arn: "" };
    const [parked] = net.cloud.queues.peek(arn);
    for (let n = 0; n < 990; n += 1) net.cloud.queues.send(arn, parked ?? { body: "", attributes: {} });
    net.hush("a", "b");
    while ((await breakersAt(net, "a")).length > 0) await net.run(100);
    expect(waiting(net)).toBe(500);
    await net.run(2 * second);
    expect([waiting(net), there.bodies().toSorted()]).toEqual([0, bodies("m", 10)]);
  });
});

describe("a peer that doesn't answer", () => {
  test("and has the message: a copy waits for it alone, and its audit drops the copy", async () => {
    const { net, there } = await network();
    net.hush("a", "b", "accepts and says nothing");
    net.send("a", far, bodies("m", 3));
    await net.run(second);
    expect(there.bodies()).toEqual(bodies("m", 3));
    expect(waiting(net)).toBe(3);
    net.hush("a", "b");
    await net.run(2 * minute);
    expect(waiting(net)).toBe(0);
    expect(there.bodies()).toEqual(bodies("m", 3));
  });

  test("and doesn't have it: the copy brings it when a probe has crossed", async () => {
    const { net, there } = await network();
    net.hush("a", "b", "hangs");
    net.send("a", far, bodies("m", 3));
    await net.run(second);
    expect(await breakersAt(net, "a")).toEqual(["a:to-b"]);
    net.hush("a", "b");
    await net.run(2 * minute);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 3));
  });

  test("with a consumer waiting here: each message is delivered once, here or there", async () => {
    const { net, there } = await network();
    const here = net.connect("a");
    await here.consume(far);
    await net.run();
    net.hush("a", "b", "accepts and says nothing");
    net.send("a", far, bodies("m", 20));
    await net.run(minute);
    net.hush("a", "b");
    await net.run(10 * minute);
    expect([...there.bodies(), ...here.bodies()].toSorted()).toEqual(bodies("m", 20).toSorted());
  });
});

test("what SNS couldn't deliver goes on when a probe crosses", async () => {
  const { net } = await network();
  const subscriber = net.connect("b");
  await subscriber.consume("topic://prices");
  await net.run();
  const { where, slice } = net.broker("b");
  const inbound = where.inbound(slice.connectors[0]?.link ?? ("" as never))?.arn ?? "";
  net.cloud.queues.delete(inbound);
  net.send("a", "topic://prices", ["p"]);
  await net.run(second);
  expect(waiting(net)).toBe(1);
  net.cloud.queues.create(inbound);
  await net.run(5 * minute);
  expect(subscriber.bodies()).toEqual(["p"]);
  expect(waiting(net)).toBe(0);
});

describe("a peer that was silent for just its lease", () => {
  const silences = [10, 50].flatMap((since) => [50, 70, 110].map((seconds) => ({ since, seconds })));
  test.for(silences)("from $since s after a tick for $seconds s has its demand back when it is heard again", async ({ since, seconds }) => {
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { peerLease: 120 } } }));
    await net.connect("b").consume(far);
    await net.run();
    await net.run(since * second);
    net.cut("a", "b");
    await net.run(seconds * second);
    net.heal("a", "b");
    await net.run(3 * minute);
    expect(await net.linkCandidates("a", far)).toHaveLength(1);
  });
});
