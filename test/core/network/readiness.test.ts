import { describe, expect, test } from "vitest";
import { waitingFor } from "../../../core/broker/control/readiness.ts";
import { sha256 } from "../../support/hash.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const minutes = 60_000;

const isReady = async (net: SimulatedNetwork, { broker, connection }: SimulatedClient): Promise<boolean> =>
  (await waitingFor(net.broker(broker).brain, sha256, connection, 1, net.now())).length === 0;

/** SNS refuses to subscribe this link of a's, as one whose inbound is gone. */
const refusing = (net: SimulatedNetwork, refused: string): void => {
  const { subscriptions } = net.broker("a").control;
  const { subscribe } = subscriptions;
  const refuse: typeof subscribe = async (topic, target) => {
    if (target.to === "link" && target.link === refused) throw new Error("Refused");
    return subscribe(topic, target);
  };
  Object.assign(subscriptions, { subscribe: refuse });
};

/** As if another invocation judged it all the time. */
const busyWith = async (net: SimulatedNetwork, destination: string, seconds: number): Promise<void> => {
  const { brain } = net.broker("a");
  for (let second = 0; second < seconds; second += 1) {
    const held = await brain.read("lease", "", destination);
    await brain.write("lease", "", destination, { until: net.now() + 10_000 }, held?.revision ?? 0);
    await net.run(1_000);
  }
};

const topics = { brokers: { a: { topics: ["P.A", "P.B"] } } };

describe("a consumer of a pattern abroad", () => {
  test("isn't ready while somebody else judges a topic that it means, maybe without it", async () => {
    const net = await simulate(networkOf("a -> b", {}, topics));
    const client = net.connect("b");
    await client.consume("topic://P.*");
    await busyWith(net, "topic://P.A", 40);
    expect(await isReady(net, client)).toBe(false);
    await net.run(minutes);
    expect(await isReady(net, client)).toBe(true);
    net.publish("a", "topic://P.A", ["m"]);
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });

  test("gets the other topics that it means though one can't be judged", async () => {
    const net = await simulate(networkOf("a -> b, a -> c", {}, topics));
    refusing(net, "a:to-c");
    await net.connect("c").consume("topic://P.A");
    const client = net.connect("b");
    await client.consume("topic://P.*");
    await net.run(minutes);
    net.publish("a", "topic://P.B", ["m"]);
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });
});

describe("while SNS refuses to subscribe one link of a topic", () => {
  const refusedC = async () => {
    const net = await simulate(networkOf("a -> b, a -> c", {}));
    refusing(net, "a:to-c");
    const atC = net.connect("c");
    await atC.consume("topic://PRICES");
    await net.run();
    return { net, atC };
  };
  const waitingEvents = (net: SimulatedNetwork): number => {
    const { own } = net.broker("a").where;
    const depth = net.cloud.queues.depth(own.queueArn(own.controlQueue));
    return depth ? depth.visible + depth.inFlight + depth.delayed : 0;
  };

  test("a consumer behind another one is ready within a minute, and one behind this one isn't", async () => {
    const { net, atC } = await refusedC();
    const client = net.connect("b");
    await client.consume("topic://PRICES");
    await net.run(minutes);
    expect([await isReady(net, client), await isReady(net, atC)]).toEqual([true, false]);
    net.publish("a", "topic://PRICES", ["m"]);
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });

  test("control's events don't gather, whoever comes and goes", async () => {
    const { net, atC } = await refusedC();
    const client = net.connect("b");
    await client.consume("topic://PRICES");
    await net.run(10 * minutes);
    await atC.close();
    await net.run(10 * minutes);
    expect(waitingEvents(net)).toBeLessThan(20);
  });
});
