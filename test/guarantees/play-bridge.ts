import type { ClaimKey } from "../../core/carry/claim.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { brokerId } from "../../core/ids.ts";
import type { Parked, TakenFrom } from "../../core/jms-bridge/ports.ts";
import { transfer } from "../../core/jms-bridge/transfer.ts";
import type { ConsumedContext } from "../../core/message/decode.ts";
import type { RestingCopy } from "../../core/ports.ts";
import { consumerBehindIngress } from "../support/behind-ingress.ts";
import { bridgeWorld } from "../support/bridging.ts";
import { sha256 } from "../support/hash.ts";
import type { Played } from "./guarantee.ts";
import { guardedRuns } from "./guarded-runs.ts";
import { calmly, type Moment, told } from "./moments.ts";
import type { BridgeScene } from "./scenes.ts";
import { type Strikes, striking } from "./strikes.ts";
import { struckAudit, struckHandOver } from "./struck-ports.ts";

type Bridge = ReturnType<typeof bridgeWorld>;

/** One message over a bridge of broker a, with what befalls it, until all is quiet. */
export const playBridge = async (scene: BridgeScene, moment: Moment | undefined): Promise<Played> => {
  const { strikes = [], undeleted, handlers = 1, deliveredTwice, days = 0 } = moment ? told(moment) : calmly;
  const isTopic = scene.from === "topic";
  const door = scene.from === "parked" ? "undelivered" : "source";
  const bridge = bridgeWorld({ qualityOfServiceMode: scene.mode, maxReceiveCount: 1_000, ...(isTopic && { source: topicSource }) });
  const strike = striking(strikes);
  strikeAt(bridge, scene, strike);
  const kept = undeleted ? deleteFails(bridge, door, days * 86_400) : () => true;
  const handOn = scene.target === "plain" ? undefined : await consumerBehindIngress(bridge, scene.target);
  for (let n = deliveredTwice ? 2 : 1; n > 0; n -= 1) bridge.send(isTopic ? envelope("m") : "m");
  if (scene.from === "parked") await park(bridge);
  strike.arm();
  if (handlers === 2) await transferTwice(bridge);
  await bridge.runUntil();
  const ids = handOn ? (await handOn()).map(({ id }) => id) : bridge.idsAt("target");
  return {
    struck: strike.haveFallen() && kept(),
    calls: [...strike.calls],
    delivered: ids.length,
    behindOnce: await guardedRuns(ids.map((id) => ({ id, at: 0 }))),
    left: ["source", "undelivered", "dead-letters"].flatMap((queue) => bridge.bodies(queue)),
  };
};

/** The target is away when the message comes, and back when the bridge looks again. */
const park = async ({ world, poll }: Bridge): Promise<void> => {
  const { moodOf } = world;
  world.moodOf = () => "refuses";
  await poll();
  world.moodOf = moodOf;
};

/** Strikes fall on the message, not on the bridge's own breaker. */
const strikeAt = ({ ports }: Bridge, { from }: BridgeScene, strike: Strikes): void => {
  const { audit, targets, sourceQueue, parked } = ports;
  const struck = struckAudit(audit, strike);
  const isBreaker = ([one]: readonly { readonly key: ClaimKey }[]): boolean => one?.key.includes("|breaker|") === true;
  const { through } = strike;
  Object.assign(ports, {
    audit: {
      ...struck,
      claim: (...claimed: Parameters<typeof audit.claim>) => (isBreaker(claimed[0]) ? audit : struck).claim(...claimed),
      release: (...released: Parameters<typeof audit.release>) => (isBreaker(released[0]) ? audit : struck).release(...released),
    },
    targets: { ...targets, handOver: struckHandOver(targets.handOver, ({ to }) => (to === "target" ? "handOver" : undefined), strike) },
  });
  const notSure = (copies: readonly RestingCopy[]): readonly boolean[] => copies.map(() => false);
  const remove = (place: TakenFrom, copies: readonly RestingCopy[]) =>
    through(
      "remove",
      () => place.remove(copies),
      () => notSure(copies),
    );
  if (from !== "parked") {
    Object.assign(ports, { sourceQueue: { remove: (copies: readonly RestingCopy[]) => remove(sourceQueue, copies) } });
    return;
  }
  Object.assign(ports, {
    parked: {
      receive: async (most: number) => {
        const copies = await parked.receive(most);
        return copies.length === 0 ? copies : through("receive", async () => copies);
      },
      remove: (copies: readonly RestingCopy[]) => (copies.length === 0 ? parked.remove(copies) : remove(parked, copies)),
      giveBack: (copies: readonly RestingCopy[]) => through("giveBack", () => parked.giveBack(copies)),
    } satisfies Parked,
  });
};

/** The first delete at that queue doesn't hold; so many seconds later the copy comes again. */
const deleteFails = ({ queues }: Bridge, door: string, seconds: number): (() => boolean) => {
  const { remove } = queues;
  let failed = false;
  Object.assign(queues, {
    remove: (queue: string, receipt: string) => {
      if (failed || queue !== door) return remove(queue, receipt);
      failed = true;
      if (seconds > 0) queues.changeVisibility(queue, receipt, seconds);
    },
  });
  return () => failed;
};

const topicArn = "arn:aws:sns:eu-west-1:000000000000:source";
/** The source is the end of a subscription: its bodies are envelopes. */
const topicSource: ConsumedContext = {
  self: brokerId("a"),
  hash: sha256,
  verify: () => "invalid",
  destination: destinationOf("topic://source"),
  topicOf: (arn) => (arn === topicArn ? destinationOf("topic://source") : undefined),
};
const envelope = (text: string): string =>
  JSON.stringify({
    Type: "Notification",
    MessageId: sha256(text),
    TopicArn: topicArn,
    Message: text,
    Timestamp: "2026-01-01T00:00:00.000Z",
  });

const transferTwice = async ({ ports, queues, world }: Bridge): Promise<void> => {
  const copies = queues.receive("source", 1, 360_000) ?? [];
  const both = await Promise.all([transfer(ports, copies, world.now), transfer(ports, copies, world.now)]);
  const isDone = both.flat().some(({ again }) => again === undefined);
  if (isDone) for (const { receipt } of copies) queues.remove("source", receipt);
};
