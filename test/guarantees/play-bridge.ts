import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId } from "../../core/ids.ts";
import { transfer } from "../../core/jms-bridge/transfer.ts";
import { encodeBridged } from "../../core/message/encode.ts";
import { bridgeWorld } from "../support/bridging.ts";
import { sha256 } from "../support/hash.ts";
import { simulate } from "../support/simulator/network.ts";
import { simulatedKey } from "../support/simulator/signing.ts";
import { networkOf } from "../support/simulator/topologies.ts";
import type { Played } from "./guarantee.ts";
import { guardedRuns } from "./guarded-runs.ts";
import { type Moment, told } from "./moments.ts";
import type { BridgeScene } from "./scenes.ts";
import { type Strikes, striking } from "./strikes.ts";
import { struckAudit, struckHandOver } from "./struck-ports.ts";

type Bridge = ReturnType<typeof bridgeWorld>;

/** One message over a bridge of broker a, with what befalls it, until all is quiet. */
export const playBridge = async (scene: BridgeScene, moment: Moment): Promise<Played> => {
  const { strikes = [], undeleted, handlers = 1 } = told(moment);
  const bridge = bridgeWorld({ qualityOfServiceMode: scene.mode, maxReceiveCount: 1_000 });
  const strike = striking(strikes);
  strikeAt(bridge, strike);
  const kept = undeleted ? deleteFails(bridge) : () => true;
  const consumed = scene.target === "ingress" ? await consumerBehindIngress(bridge) : async () => bridge.idsAt("target");
  bridge.send("m");
  strike.arm();
  if (handlers === 2) await transferTwice(bridge);
  await bridge.runUntil();
  const ids = await consumed();
  return {
    struck: strike.haveFallen() && kept(),
    delivered: ids.length,
    behindOnce: await guardedRuns(ids.map((id) => ({ id, at: 0 }))),
    left: ["source", "undelivered", "dead-letters"].flatMap((queue) => bridge.bodies(queue)),
  };
};

const strikeAt = ({ ports }: Bridge, strike: Strikes): void => {
  const { audit, targets, sourceQueue } = ports;
  Object.assign(ports, {
    audit: struckAudit(audit, strike),
    targets: { ...targets, handOver: struckHandOver(targets.handOver, ({ to }) => to === "target", strike) },
    sourceQueue: {
      remove: (...copies: Parameters<typeof sourceQueue.remove>) => strike.through("remove", () => sourceQueue.remove(...copies)),
    },
  });
};

/** The first delete at the source doesn't hold. */
const deleteFails = ({ queues }: Bridge): (() => boolean) => {
  const { remove } = queues;
  let failed = false;
  Object.assign(queues, {
    remove: (queue: string, receipt: string) => {
      if (failed || queue !== "source") return remove(queue, receipt);
      failed = true;
    },
  });
  return () => failed;
};

const transferTwice = async ({ ports, queues, world }: Bridge): Promise<void> => {
  const copies = queues.receive("source", 1, 360_000) ?? [];
  const both = await Promise.all([transfer(ports, copies, world.now), transfer(ports, copies, world.now)]);
  const isDone = both.flat().some(({ again }) => again === undefined);
  if (isDone) for (const { receipt } of copies) queues.remove("source", receipt);
};

/** The target is a queue of the broker whose bridge it is, reached by its ingress. Answers how to hand on what the bridge has sent. */
const consumerBehindIngress = async (bridge: Bridge): Promise<() => Promise<readonly string[]>> => {
  const net = await simulate(networkOf("a -> b"));
  const [client, key, { brain, where }] = [net.connect("a"), simulatedKey("bridge"), net.broker("a")];
  const stored = await brain.read("broker", "", "broker");
  if (!stored) throw new Error("broker a has no item");
  await brain.write("broker", "", "broker", { ...stored.value, keys: [...stored.value.keys, key.publicKey] }, stored.revision);
  await client.consume("queue://target");
  await net.run();
  const sender = { broker: brokerId("a"), signer: key.signer, hash: sha256 };
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
    return client.received.map(({ message: { id } }) => id);
  };
};
