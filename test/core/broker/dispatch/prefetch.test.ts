import { describe, expect, test } from "vitest";
import { bodies, simulate } from "../../../support/simulator/network.ts";
import { type Connector, networkOf } from "../../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";

interface Row {
  readonly rule: string;
  readonly connector: Connector;
  /** Priorities of a consumer at a and at b; none: nobody is there. */
  readonly priorities: readonly (number | undefined)[];
  readonly got: readonly number[];
}

describe("of a batch of ten a link gets", () => {
  test.for<Row>([
    { rule: "its whole share by default", connector: {}, priorities: [0, 0], got: [5, 5] },
    { rule: "no more than its prefetch where an equal takes the rest", connector: { prefetchSize: 2 }, priorities: [0, 0], got: [8, 2] },
    { rule: "nor where a lower priority takes it", connector: { prefetchSize: 3 }, priorities: [0, 5], got: [7, 3] },
    { rule: "everything where nobody else takes it", connector: { prefetchSize: 1 }, priorities: [undefined, 0], got: [0, 10] },
    { rule: "its share if that is less", connector: { prefetchSize: 6 }, priorities: [0, 0], got: [5, 5] },
  ])("$rule", async ({ connector, priorities, got }) => {
    const net = await simulate(networkOf("a -> b", connector));
    const clients = ["a", "b"].map((at) => net.connect(at));
    for (const [index, client] of clients.entries()) {
      const priority = priorities[index];
      if (priority !== undefined) await client.consume(queue, { priority });
    }
    await net.run();
    net.send("a", queue, bodies("m", 10));
    await net.run();
    expect(clients.map(({ received }) => received.length)).toEqual(got);
  });

  test("its prefetch of each of two queues, and the other link the rest of both", async () => {
    const net = await simulate(networkOf("a -> b, a -> c", {}, { connectors: { "a b": { prefetchSize: 1 } } }));
    const [near, other] = [net.connect("b"), net.connect("c")];
    for (const client of [near, other]) for (const name of ["one", "two"]) await client.consume(`queue://${name}`);
    await net.run();
    for (const text of bodies("m", 5)) for (const name of ["one", "two"]) net.send("a", `queue://${name}`, [`${name} ${text}`]);
    await net.run();
    expect([near.received.length, other.received.length]).toEqual([2, 8]);
  });
});
