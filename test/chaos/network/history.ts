import { dice } from "../../support/hostile/dice.ts";
import type { Disturbance } from "../../support/simulator/disturbance.ts";
import { simulate } from "../../support/simulator/network.ts";
import { bodyOf, type Cell, isOrdered, isTopic } from "../cells.ts";
import { fates } from "../fates.ts";
import { ledger } from "../ledger.ts";
import type { Verdict } from "../verdict.ts";
import { nativesOf } from "./natives.ts";
import { passersBy } from "./passers-by.ts";
import { standingIn, untilQuiet } from "./quiet.ts";
import { readersOf } from "./readers.ts";
import { removing } from "./removing.ts";
import { drawSetting, ids } from "./setting.ts";
import { networkTroubles } from "./troubles.ts";
import { groupOf, nameOf, wayOf } from "./ways.ts";

const second = 1_000;
const minute = 60 * second;

/** Somebody who sees what goes wrong. */
type Witness = <D extends Disturbance>(disturbance: D, now: () => number) => D;

/** One random history of a network under random faults, judged when all is well again. The same seed plays the same history. */
export const playNetwork = async (seed: number, witness: Witness = (disturbance) => disturbance): Promise<Verdict> => {
  const draw = dice(seed);
  const fate = fates(draw);
  const book = ledger();
  const pick = <T>(row: string, choices: readonly T[]): T => choices[Math.floor(draw(row) * choices.length)] as T;
  const upTo = (row: string, most: number): number => 1 + Math.floor(draw(row) * most);
  const setting = drawSetting({ draw, pick });
  const { cells, canReplay, restores, removed, home, staysThere } = setting;
  const clock = { now: () => 0 };
  const now = () => clock.now();
  const trouble = witness(networkTroubles(fate, book, now), now);
  const net = await simulate(setting.configuration(), { disturbance: trouble, snsHasWeather: true });
  clock.now = net.now;
  const [readers, passers, natives] = [readersOf(net, book), passersBy(net), nativesOf(net, book)];
  for (const { topic } of cells.map(wayOf)) for (const at of topic === undefined ? [] : ids) await readers.connect(at, topic ?? "");
  const consume = async (at: string, cell: Cell, options = {}): Promise<void> => {
    for (const queue of wayOf(cell).queues) {
      if (!isOrdered(cell)) await readers.connect(at, queue, options);
      else if (!readers.isRead(queue)) await readers.connect(home, queue, staysThere ? options : {}, staysThere);
    }
  };
  const somePrefetch = () => (restores || draw("prefetch") < 0.75 ? {} : { prefetchSize: 5 });
  if (staysThere) for (const cell of cells.filter(isOrdered)) await consume(home, cell, somePrefetch());
  await net.run();
  for (const cell of cells) {
    const { topic } = wayOf(cell);
    if (topic === undefined || draw("native") >= 0.4) continue;
    natives.stay(pick("native at", ids), topic);
    fate.struck("native subscriber", "topic", cell);
  }
  await net.run();
  fate.begin();

  const restored = restores ? { at: pick("restored", ids), restore: () => {} } : undefined;
  if (restored) restored.restore = net.backUp(restored.at);
  if (restored && draw("an hour") < 0.5) await net.run(58 * minute);
  const removal = removing(net, fate, setting, book);
  const counts = new Map<Cell, number>();
  const sendSome = (at: string, cell: Cell): void => {
    if (removal.hasBegun() && removed?.queue?.at === at && removed.queue.name === nameOf(cell)) return; // its producers know
    const count = upTo("count", 12);
    const bodies = Array.from({ length: count }, (_, n) => bodyOf(cell, (counts.get(cell) ?? 0) + n));
    counts.set(cell, (counts.get(cell) ?? 0) + count);
    const way = wayOf(cell);
    const again = bodies.filter((body) => fate.strikes("lost answer", "producer's send", 12, body));
    const due = way.topic === undefined ? way.queues : [...readers.of(way.topic), ...natives.of(way.topic)];
    const isKept = isOrdered(cell) && (isTopic(cell) || at === home || removal.keepsOrder());
    for (const body of bodies) book.sent(body, due, isKept ? groupOf(at, body) : undefined);
    way.send(net, at, bodies);
    if (again.length > 0) way.send(net, at, again);
    if (!isOrdered(cell)) book.opened("producer-sent-again", again); // with the same deduplication id it is the same message
  };
  const come = async (at: string, cell: Cell): Promise<void> => {
    const { topic } = wayOf(cell);
    if (topic === undefined) await consume(at, cell, somePrefetch());
    else if (draw("native passer-by") < 0.3) natives.passBy(at, topic);
    else await passers.join(at, topic, cell);
  };
  const passing = () => [...passers.here(), ...natives.here()];
  for (const cell of cells) if (draw("from the start") < 0.75) await come(pick("first", ids), cell);
  const restoreWay = (at: string, other: string): void => {
    net.heal(at, other);
    net.hush(at, other);
  };
  const atHome = cells.filter((cell) => isOrdered(cell) && !isTopic(cell));
  const steps = 4 + upTo("steps", 8);
  const [restoredAfter, removedAfter] = [Math.floor(draw("restored after") * steps), Math.floor(draw("removed after") * steps)];
  for (let step = 0; step < steps; step += 1) {
    const [at, cell] = [pick("at", ids), pick("which", [...cells, ...atHome, ...atHome])];
    // What is read at one place crosses towards that, if at all.
    const other = atHome.includes(cell) && draw("towards home") < 0.9 ? home : pick("other", ids);
    switch (pick("step", ["consume", "send", "send", "send", "cut", "heal", "hush", "hush", "close", "move", "wait"] as const)) {
      case "consume":
        await come(at, cell);
        break;
      case "send":
        sendSome(at, cell);
        break;
      case "cut":
        if (at !== other) net.cut(at, other);
        sendSome(at, cell);
        break;
      case "heal":
        if (at !== other) restoreWay(at, other);
        break;
      case "hush":
        if (at !== other) net.hush(at, other, pick("silence", ["hangs", "accepts and says nothing"] as const));
        sendSome(at, cell);
        break;
      case "close":
        await pick("who", [...(isTopic(cell) ? passing() : readers.ofQueues()), undefined])?.close();
        break;
      case "move":
        trouble.moveBack(net.cloud.queues);
        break;
      default:
        break;
    }
    if (restored && step === restoredAfter) {
      // The restored table knows nothing of what waits, until it is taken up.
      book.unordered(standingIn(net, (arn) => !arn.includes(`:spanmq-test-${restored.at}-`)));
      restored.restore();
      passers.forgottenAt(restored.at);
      fate.struck("restored table", "table", cells);
    }
    if (removed && step === removedAfter) await removal.begin();
    await net.run(upTo("wait", 90) * second);
  }
  if (passing().length > 0) {
    for (const passer of passing()) await passer.close();
    await net.run(2 * minute);
  }
  fate.end();
  for (const at of ids) for (const other of ids) restoreWay(at, other);
  trouble.moveBack(net.cloud.queues);
  const places = canReplay && draw("at one place") < 0.5 && !removed?.queue ? [pick("the last place", ids)] : ids;
  for (const at of places) for (const cell of cells) await consume(at, cell);
  const quiet = () => untilQuiet(net, (arn) => passers.areNobodys(arn) || natives.areTheirs(arn));
  const left = await quiet();
  const refused = left.length === 0 ? await removal.finish() : [];
  if (removed) {
    for (const cell of cells) sendSome(pick("at", ids), cell);
    left.push(...(await quiet()));
  }
  readers.note();
  natives.note();
  return { world: "network", seed, tallies: book.judge(left), census: fate.census, spent: [], refused };
};
