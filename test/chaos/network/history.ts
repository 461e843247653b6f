import { dice } from "../../support/hostile/dice.ts";
import { simulate } from "../../support/simulator/network.ts";
import { chain, mesh, networkOf, pair, ring } from "../../support/simulator/topologies.ts";
import { bodyOf, type Cell, isOrdered, isTopic, networkCells, orderedCells } from "../cells.ts";
import { fates } from "../fates.ts";
import { ledger } from "../ledger.ts";
import type { Verdict } from "../verdict.ts";
import { passersBy } from "./passers-by.ts";
import { untilQuiet } from "./quiet.ts";
import { readersOf } from "./readers.ts";
import { networkTroubles } from "./troubles.ts";
import { groupOf, nameOf, wayOf } from "./ways.ts";

const ids = ["a", "b", "c"] as const;
const second = 1_000;
const minute = 60 * second;

/** One random history of a network under random faults, judged when all is well again. The same seed plays the same history. */
export const playNetwork = async (seed: number): Promise<Verdict> => {
  const draw = dice(seed);
  const fate = fates(draw);
  const book = ledger();
  const pick = <T>(row: string, choices: readonly T[]): T => choices[Math.floor(draw(row) * choices.length)] as T;
  const upTo = (row: string, most: number): number => 1 + Math.floor(draw(row) * most);
  const inOrder = draw("in order") < 0.6 ? [pick("ordered cell", orderedCells)] : [];
  const cells = [...new Set([pick("cell", networkCells), pick("cell", networkCells), pick("cell", networkCells)]), ...inOrder];
  const ways = pick("ways", [`${pair}, b <-> c`, chain(3), ring(3), mesh(3)]);
  const canReplay = draw("replay") < 0.5;
  const replay = canReplay ? { replayWhenNoConsumers: true, replayDelay: 5 * second } : {};
  const destinationPolicies = [
    { destination: "queue://*.audited.>", ...replay },
    { destination: "queue://*.unaudited.>", enableAudit: false, ...replay },
    { destination: "topic://*.unaudited.>", enableAudit: false },
  ];
  const queues = cells.filter((cell) => cell.startsWith("direct.") || cell.startsWith("fifo-queue.")).map(nameOf);
  const broker = { destinationPolicies, queues, topics: inOrder.filter(isTopic).map(nameOf) };
  const input = networkOf(
    ways,
    { networkTTL: 3, conduitSubscriptions: draw("conduit") < 0.5 },
    { brokers: { a: broker, b: broker, c: broker } },
  );
  const clock = { now: () => 0 };
  const trouble = networkTroubles(fate, book, () => clock.now());
  const net = await simulate(input, { disturbance: trouble });
  clock.now = net.now;
  const readers = readersOf(net, book);
  const passers = passersBy(net);
  for (const { topic } of cells.map(wayOf)) for (const at of topic === undefined ? [] : ids) await readers.connect(at, topic ?? "");
  // Order is kept while candidates don't change: consumers of a FIFO queue are at one broker; where two ways lead there, one always is.
  const restores = draw("restore") < 0.15;
  const [home, staysThere] = [pick("home", ids), canReplay || ways.split(",").length > 2];
  const consume = async (at: string, cell: Cell, options = {}): Promise<void> => {
    for (const queue of wayOf(cell).queues) {
      if (!isOrdered(cell)) await readers.connect(at, queue, options);
      else if (!readers.isRead(queue)) await readers.connect(home, queue, staysThere ? options : {}, staysThere);
    }
  };
  const somePrefetch = () => (restores || draw("prefetch") < 0.75 ? {} : { prefetchSize: 5 });
  if (staysThere) for (const cell of inOrder) await consume(home, cell, somePrefetch());
  await net.run();
  fate.begin();

  const restored = restores ? { at: pick("restored", ids), restore: () => {} } : undefined;
  if (restored) restored.restore = net.backUp(restored.at);
  if (restored && draw("an hour") < 0.5) await net.run(58 * minute);
  const counts = new Map<Cell, number>();
  const sendSome = (at: string, cell: Cell): void => {
    const count = upTo("count", 12);
    const bodies = Array.from({ length: count }, (_, n) => bodyOf(cell, (counts.get(cell) ?? 0) + n));
    counts.set(cell, (counts.get(cell) ?? 0) + count);
    const way = wayOf(cell);
    const again = bodies.filter((body) => fate.strikes("lost answer", "producer's send", 12, body));
    const due = way.topic === undefined ? way.queues : readers.of(way.topic);
    // A restored table knows nothing of what waits, until it is taken up.
    for (const body of bodies) book.sent(body, due, isOrdered(cell) && !restores ? groupOf(at, body) : undefined);
    way.send(net, at, bodies);
    if (again.length > 0) way.send(net, at, again);
    if (!isOrdered(cell)) book.opened("producer-sent-again", again); // with the same deduplication id it is the same message
  };
  const come = async (at: string, cell: Cell): Promise<void> => {
    const { topic } = wayOf(cell);
    if (topic !== undefined) await passers.join(at, topic, cell);
    else await consume(at, cell, somePrefetch());
  };
  for (const cell of cells) if (draw("from the start") < 0.75) await come(pick("first", ids), cell);
  const restoreWay = (at: string, other: string): void => {
    net.heal(at, other);
    net.hush(at, other);
  };
  const steps = 4 + upTo("steps", 8);
  const restoredAfter = Math.floor(draw("restored after") * steps);
  for (let step = 0; step < steps; step += 1) {
    const [at, other] = [pick("at", ids), pick("other", ids)];
    const cell = pick("which", cells);
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
        await pick("who", [...(isTopic(cell) ? passers.here() : readers.ofQueues()), undefined])?.close();
        break;
      case "move":
        trouble.moveBack(net.cloud.queues);
        break;
      default:
        break;
    }
    if (restored && step === restoredAfter) {
      restored.restore();
      passers.forgottenAt(restored.at);
      fate.struck("restored table", "table", cells);
    }
    await net.run(upTo("wait", 90) * second);
  }
  if (passers.here().length > 0) {
    for (const passer of passers.here()) await passer.close();
    await net.run(2 * minute);
  }
  fate.end();
  for (const at of ids) {
    for (const other of ids) {
      restoreWay(at, other);
    }
  }
  trouble.moveBack(net.cloud.queues);
  const places = canReplay && draw("at one place") < 0.5 ? [pick("the last place", ids)] : ids;
  for (const at of places) for (const cell of cells) await consume(at, cell);
  const left = await untilQuiet(net, passers.areNobodys);
  readers.note();
  return { world: "network", seed, tallies: book.judge(left), census: fate.census, spent: [] };
};
