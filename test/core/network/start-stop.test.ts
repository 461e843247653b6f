import { describe, expect, test } from "vitest";
import { controlBatch } from "../../../core/broker/control/control.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf, pair } from "../../support/simulator/topologies.ts";

const minutes = 60_000;

/** A network a -> b whose b consumes the destination. */
const consumedAtB = async (destination: string, connector: Connector = {}) => {
  const net = await simulate(networkOf(pair, connector));
  const client = net.connect("b");
  await client.consume(destination);
  await net.run();
  return { net, client };
};

const sent = async (net: SimulatedNetwork, destination: string, texts: readonly string[]) => {
  net.send("a", destination, texts);
  await net.run();
};

describe("a connector is started and stopped at run time", () => {
  test("a stopped one forwards nothing: queue messages rest, and go when it is started again", async () => {
    const { net, client } = await consumedAtB("queue://orders");
    await net.command("a", "to-b", "stop");
    await net.run();
    await sent(net, "queue://orders", bodies("m", 5));
    expect(client.bodies()).toEqual([]);
    expect(net.depth("a", "queue://orders")).toBe(5);
    await net.command("a", "to-b", "start");
    await net.run();
    expect(client.bodies()).toEqual(bodies("m", 5));
  });

  test("what is published while it is stopped never crosses, as without a subscription", async () => {
    const { net, client } = await consumedAtB("topic://prices");
    await net.command("a", "to-b", "stop");
    await net.run();
    await sent(net, "topic://prices", ["while stopped"]);
    await net.command("a", "to-b", "start");
    await net.run();
    await sent(net, "topic://prices", ["afterwards"]);
    expect(client.bodies()).toEqual(["afterwards"]);
  });

  test("static includes stop too", async () => {
    const { net } = await consumedAtB("queue://orders", { staticallyIncludedDestinations: ["queue://orders"] });
    await net.command("a", "to-b", "stop");
    await net.run();
    expect(await net.linkCandidates("a", "queue://orders")).toEqual([]);
  });

  test("what it carried onward is demand no more, beyond the next broker either", async () => {
    const net = await simulate(networkOf("a -> b, b -> c", { networkTTL: 2 }));
    await net.connect("c").consume("queue://orders");
    await net.run();
    expect(await net.linkCandidates("a", "queue://orders")).toHaveLength(1);
    await net.command("b", "to-c", "stop");
    await net.run();
    expect(await net.linkCandidates("a", "queue://orders")).toEqual([]);
  });

  test("a later command wins, in whatever order the two arrive", async () => {
    const { net } = await consumedAtB("queue://orders");
    const { ports, slice } = net.broker("a");
    const [connector] = slice.connectors;
    const command = (run: "start" | "stop", counter: number) =>
      ports.events.send([{ to: slice.broker, event: { event: "command", link: connector?.link ?? ("" as never), run, counter } }]);
    await command("start", net.now() + 2);
    await command("stop", net.now() + 1);
    await net.run();
    expect(await net.linkCandidates("a", "queue://orders")).toHaveLength(1);
  });

  test("a new deployment doesn't start what was stopped", async () => {
    const { net } = await consumedAtB("queue://orders");
    await net.command("a", "to-b", "stop");
    await net.deploy("a");
    await net.run(5 * minutes);
    expect(await net.linkCandidates("a", "queue://orders")).toEqual([]);
  });

  test("autoStart false: it waits for its first start", async () => {
    const { net } = await consumedAtB("queue://orders", { autoStart: false });
    expect(await net.linkCandidates("a", "queue://orders")).toEqual([]);
    await net.command("a", "to-b", "start");
    await net.run();
    expect(await net.linkCandidates("a", "queue://orders")).toHaveLength(1);
  });

  test("a connector that left the configuration takes its stop along", async () => {
    const { net } = await consumedAtB("queue://orders");
    await net.command("a", "to-b", "stop");
    await net.run();
    const { brain, control, slice } = net.broker("a");
    const deployed = async (connectors: typeof slice.connectors) => {
      const stored = await brain.read("broker", "", "broker");
      if (stored) await brain.write("broker", "", "broker", { ...stored.value, slice: { ...slice, connectors } }, stored.revision);
      await control.events.send([{ to: slice.broker, event: { event: "deployed", version: net.now() } }]);
      await net.run();
    };
    await deployed([]);
    await deployed(slice.connectors);
    expect(await net.linkCandidates("a", "queue://orders")).toHaveLength(1);
  });

  test("a counter that no later command could outdo is refused, and says what to give", async () => {
    const { net } = await consumedAtB("queue://orders");
    const { control, slice } = net.broker("a");
    const event = { event: "command", link: slice.connectors[0]?.link ?? ("" as never), run: "stop", counter: net.now() * 1_000 } as const;
    const [outcome] = await controlBatch(control, [{ ref: "1", event, sentAt: net.now() }], net.now());
    expect(outcome).toMatchObject({ verdict: "dropped", why: expect.stringContaining("give a clock in milliseconds") });
  });

  test("a command for a link that the broker doesn't own is dropped, and names those it has", async () => {
    const { net } = await consumedAtB("queue://orders");
    const event = { event: "command", link: "a:to-x" as never, run: "stop", counter: 1 } as const;
    const [outcome] = await controlBatch(net.broker("a").control, [{ ref: "1", event, sentAt: net.now() }], net.now());
    expect(outcome).toMatchObject({ verdict: "dropped", why: "broker a owns no link a:to-x: it has a:to-b" });
  });
});
