import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId } from "../../core/ids.ts";
import { encodeBridged } from "../../core/message/encode.ts";
import type { bridgeWorld } from "./bridging.ts";
import { sha256 } from "./hash.ts";
import { simulate } from "./simulator/network.ts";
import { simulatedKey } from "./simulator/signing.ts";
import { networkOf } from "./simulator/topologies.ts";

type Bridge = ReturnType<typeof bridgeWorld>;

/**
 * Makes a bridge's target a queue of broker a, reached by its ingress; the bridge is its own, or another broker's. Answers how to hand on
 * what the bridge has sent: the messages that a consumer gets then.
 */
export const consumerBehindIngress = async (bridge: Bridge, owner: "a" | "b" = "a") => {
  const net = await simulate(networkOf("a -> b"));
  const [client, key, { brain, where }] = [net.connect("a"), simulatedKey("bridge"), net.broker("a")];
  const stored = await brain.read("broker", "", "broker");
  if (!stored) throw new Error("broker a has no item");
  await brain.write("broker", "", "broker", { ...stored.value, keys: [...stored.value.keys, key.publicKey] }, stored.revision);
  await client.consume("queue://target");
  await net.run();
  const sender = { broker: brokerId(owner), signer: key.signer, hash: sha256 };
  const destination = destinationOf("queue://target");
  const encode: Bridge["ports"]["encode"] = (messages) =>
    encodeBridged(
      messages.map((message) => ({ ...message, destination })),
      "ingress",
      sender,
    );
  Object.assign(bridge.ports, { encode });
  return async () => {
    for (const wire of bridge.queues.peek("target")) net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), wire);
    await net.run();
    return client.received.map(({ message }) => message);
  };
};
