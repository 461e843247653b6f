import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId } from "../../core/ids.ts";
import { encodeBridged } from "../../core/message/encode.ts";
import type { bridgeWorld } from "./bridging.ts";
import { sha256 } from "./hash.ts";
import { simulate } from "./simulator/network.ts";
import { simulatedKey } from "./simulator/signing.ts";
import { networkOf } from "./simulator/topologies.ts";

type Bridge = ReturnType<typeof bridgeWorld>;

/** Whose bridge ends at broker a: its own; that of b, which has a connector to a; or that of b, which has none. */
const owners = {
  own: { broker: "a", ways: "a -> b" },
  linked: { broker: "b", ways: "b -> a" },
  unlinked: { broker: "b", ways: "a -> b" },
} as const;
export type Owner = keyof typeof owners;

/** Makes a bridge's target a queue of broker a, reached by its ingress. Answers how to hand on what it has sent since: all messages that a consumer has got then. */
export const consumerBehindIngress = async (bridge: Bridge, whose: Owner = "own") => {
  const { broker, ways } = owners[whose];
  const [source, target] = [
    { broker, destination: "queue://source" },
    { broker: "a", destination: "queue://target" },
  ];
  const net = await simulate({
    ...networkOf(ways),
    jmsBridges: [{ name: "bridge", source, target, qualityOfServiceMode: "DUPLICATES_OK" }],
  });
  const [client, { where }] = [net.connect("a"), net.broker("a")];
  await client.consume("queue://target");
  await net.run();
  const sender = { broker: brokerId(broker), signer: simulatedKey(broker).signer, hash: sha256 };
  const destination = destinationOf("queue://target");
  const encode: Bridge["ports"]["encode"] = (messages) =>
    encodeBridged(
      messages.map((message) => ({ ...message, destination })),
      "ingress",
      sender,
    );
  Object.assign(bridge.ports, { encode });
  return async () => {
    for (const copy of bridge.queues.receive("target", 1_000, 0) ?? []) {
      net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), copy);
      bridge.queues.remove("target", copy.receipt);
    }
    await net.run();
    return client.received.map(({ message }) => message);
  };
};
