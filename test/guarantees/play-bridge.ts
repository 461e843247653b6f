import { transfer } from "../../core/jms-bridge/transfer.ts";
import { consumerBehindIngress } from "../support/behind-ingress.ts";
import { bridgeWorld } from "../support/bridging.ts";
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
  const handOn = scene.target === "ingress" ? await consumerBehindIngress(bridge) : undefined;
  bridge.send("m");
  strike.arm();
  if (handlers === 2) await transferTwice(bridge);
  await bridge.runUntil();
  const ids = handOn ? (await handOn()).map(({ id }) => id) : bridge.idsAt("target");
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
