import { destinationOf } from "../../../core/destination/destination.ts";
import type { BrokerId } from "../../../core/ids.ts";
import type { ConsumedContext } from "../../../core/message/decode.ts";
import { bridgeWorld, type TargetMood } from "../../support/bridging.ts";
import { sha256 } from "../../support/hash.ts";
import { dice } from "../../support/hostile/dice.ts";
import { bodiesIn, bodyOf, bridgeCells, modeOf } from "../cells.ts";
import { fates } from "../fates.ts";
import { ledger } from "../ledger.ts";
import { networkTroubles } from "../network/troubles.ts";
import { nobodyReached } from "../reached.ts";
import type { Verdict } from "../verdict.ts";
import { endOf, subscribersOf } from "./ends.ts";
import { bridgeTroubles } from "./troubles.ts";

const minute = 60_000;
const topicArn = "arn:aws:sns:eu-west-1:000000000000:source";

/** The source is the end of a subscription: its bodies are envelopes, whose id stays wherever they are moved. */
const topicSource: ConsumedContext = {
  self: "us" as BrokerId,
  hash: sha256,
  verify: () => "invalid",
  destination: destinationOf("topic://source"),
  topicOf: (arn) => (arn === topicArn ? destinationOf("topic://source") : undefined),
};

const envelope = (body: string): string =>
  JSON.stringify({
    Type: "Notification",
    MessageId: sha256(body),
    TopicArn: topicArn,
    Message: body,
    Timestamp: "2026-01-01T00:00:00.000Z",
  });

/** One random history of a JMS bridge under random faults, judged when all is well again. The same seed plays the same history. */
export const playBridge = async (seed: number): Promise<Verdict> => {
  const draw = dice(seed);
  const fate = fates((row) => draw(`bridge ${row}`));
  const book = ledger();
  const pick = <T>(row: string, choices: readonly T[]): T => choices[Math.floor(draw(`bridge ${row}`) * choices.length)] as T;
  const upTo = (row: string, most: number): number => Math.floor(draw(`bridge ${row}`) * (most + 1));
  const cell = bridgeCells[seed % bridgeCells.length] ?? "bridge-queue.ONCE_AND_ONLY_ONCE";
  const isTopic = cell.startsWith("bridge-topic.");
  // Nothing but the target's moods: then no message may come to the dead letters.
  const isOnlyTarget = draw("bridge only target") < 0.2;
  if (!isOnlyTarget) fate.begin();
  const [reached, hit] = [nobodyReached(), new Set<string>()];
  let mood: TargetMood = "takes";
  let inHand: readonly string[] = [];
  const trouble = networkTroubles(fate, book, () => 0, reached);
  const kind = pick("target", ["queue", "queue", "topic", "ingress"] as const);
  const bridge = bridgeWorld({
    ...subscribersOf[kind],
    qualityOfServiceMode: modeOf(cell) as "AT_MOST_ONCE",
    maxReceiveCount: pick("receives", [1, 1, 3, 1_000]),
    ...(isTopic && { source: topicSource }),
    portsOf: (ports) => known.portsOf(ports),
    disturbance: {
      ...trouble,
      died: () => {},
      received: (queues, arn, copies, by) => {
        known.know(copies);
        inHand = bodiesIn(copies.map(({ body }) => body));
        if (!isOnlyTarget) for (const body of inHand) hit.add(body);
        trouble.received(queues, arn, copies, by);
      },
    },
  });
  const known = bridgeTroubles(bridge.world, { cell, fates: fate, ledger: book, reached, mood: () => mood });
  const { world, queues } = bridge;
  const end = await endOf(kind, bridge, book);
  fate.struck(`${kind} as target`, "hand-over", cell);
  const moveBack = (): void => {
    for (const copy of queues.receive("source-dlq", 1_000, 0) ?? []) {
      const bodies = bodiesIn(copy.body);
      fate.struck("moved back by a plain task", "dead letters", copy);
      if (!isTopic)
        book.opened(
          "moved-by-hand",
          bodies.filter((body) => reached.by(body).length > 0),
        );
      queues.send("source", copy);
      queues.remove("source-dlq", copy.receipt);
    }
  };
  let sent = 0;
  const send = (count: number): void => {
    for (let n = 0; n < count; n += 1, sent += 1) {
      const body = bodyOf(cell, sent);
      book.sent(body, end.readers);
      bridge.send(isTopic ? envelope(body) : body);
    }
  };
  const steps = 2 + upTo("steps", 6);
  for (let step = 0; step < steps; step += 1) {
    send(upTo("count", 15));
    mood = pick("mood", ["takes", "takes", "refuses", "hangs", "deaf"]);
    const until = world.now + pick("minutes", [1, 3, 20, 65]) * minute;
    await bridge.runUntil(until);
    world.now = Math.max(world.now, until);
    if (draw("bridge move") < 0.3 && !isOnlyTarget) moveBack();
    await end.passOn();
  }
  fate.end();
  mood = "takes";
  const spent = queues.peek("source-dlq").flatMap(({ body }) => bodiesIn(body).filter((one) => !hit.has(one)));
  for (let turn = 0; turn < 8 && (turn === 0 || queues.peek("source-dlq").length > 0); turn += 1) {
    moveBack();
    await bridge.runUntil();
  }
  await end.passOn();
  end.note();
  const left = ["source", "source-dlq", "undelivered", "dead-letters"].flatMap((queue) =>
    bridge.bodies(queue).flatMap((body) => bodiesIn(body)),
  );
  return { world: "bridge", seed, tallies: book.judge(left), census: fate.census, spent };
};
