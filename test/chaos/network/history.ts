import { once } from "../../../client/once.ts";
import { memoryStore } from "../../../client/once-stores.ts";
import { destinationKey } from "../../../core/destination/destination.ts";
import type { Message } from "../../../core/message/message.ts";
import { dice } from "../../support/hostile/dice.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, mesh, networkOf, pair, ring } from "../../support/simulator/topologies.ts";
import { bodiesIn, bodyOf, type Cell, networkCells } from "../cells.ts";
import { fates } from "../fates.ts";
import { type Ledger, ledger } from "../ledger.ts";
import type { Verdict } from "../verdict.ts";
import { passersBy } from "./passers-by.ts";
import { networkTroubles } from "./troubles.ts";

const ids = ["a", "b", "c"] as const;
const second = 1_000;
const minute = 60 * second;
const handlerTimeout = 30 * second;

/** How a cell's messages are sent, and read. */
interface Way {
  readonly queues: readonly string[];
  send(net: SimulatedNetwork, at: string, bodies: readonly string[]): void;
}

const wayOf = (cell: Cell): Way => {
  const queue = `queue://${cell}`;
  const parts = [`${queue}.x`, `${queue}.y`];
  switch (cell.slice(0, cell.indexOf("."))) {
    case "topic":
      return { queues: [], send: (net, at, bodies) => net.publish(at, `topic://${cell}`, bodies) };
    case "direct":
      return { queues: [queue], send: (net, at, bodies) => net.sendDirect(at, queue, bodies) };
    case "composite":
      return { queues: parts, send: (net, at, bodies) => net.send(at, parts.join(), bodies) };
    default:
      return { queues: [queue], send: (net, at, bodies) => net.send(at, queue, bodies) };
  }
};

/** One random history of a network under random faults, judged when all is well again. The same seed plays the same history. */
export const playNetwork = async (seed: number): Promise<Verdict> => {
  const draw = dice(seed);
  const fate = fates(draw);
  const book = ledger();
  const pick = <T>(row: string, choices: readonly T[]): T => choices[Math.floor(draw(row) * choices.length)] as T;
  const upTo = (row: string, most: number): number => 1 + Math.floor(draw(row) * most);
  const cells = [...new Set([pick("cell", networkCells), pick("cell", networkCells), pick("cell", networkCells)])];
  const ways = pick("ways", [`${pair}, b <-> c`, chain(3), ring(3), mesh(3)]);
  const canReplay = draw("replay") < 0.5;
  const replay = canReplay ? { replayWhenNoConsumers: true, replayDelay: 5 * second } : {};
  const destinationPolicies = [
    { destination: "queue://*.audited.>", ...replay },
    { destination: "queue://*.unaudited.>", enableAudit: false, ...replay },
    { destination: "topic://*.unaudited.>", enableAudit: false },
  ];
  const queues = cells.filter((cell) => cell.startsWith("direct."));
  const broker = { destinationPolicies, queues };
  const input = networkOf(
    ways,
    { networkTTL: 3, conduitSubscriptions: draw("conduit") < 0.5 },
    { brokers: { a: broker, b: broker, c: broker } },
  );
  const trouble = networkTroubles(fate, book);
  const net = await simulate(input, { disturbance: trouble });
  const readers = readersOf(net, book);
  const passers = passersBy(net);
  const topics = cells.filter((cell) => cell.startsWith("topic."));
  for (const cell of topics) for (const at of ids) await readers.connect(at, `topic://${cell}`);
  await net.run();
  fate.begin();

  const restored = draw("restore") < 0.15 ? { at: pick("restored", ids), restore: () => {} } : undefined;
  if (restored) restored.restore = net.backUp(restored.at);
  if (restored && draw("an hour") < 0.5) await net.run(58 * minute);
  const counts = new Map<Cell, number>();
  const sendSome = (at: string, cell: Cell): void => {
    const count = upTo("count", 12);
    const bodies = Array.from({ length: count }, (_, n) => bodyOf(cell, (counts.get(cell) ?? 0) + n));
    counts.set(cell, (counts.get(cell) ?? 0) + count);
    const way = wayOf(cell);
    const again = bodies.filter((body) => fate.strikes("lost answer", "producer's send", 12, body));
    for (const body of bodies) book.sent(body, way.queues.length > 0 ? way.queues : readers.of(`topic://${cell}`));
    way.send(net, at, bodies);
    if (again.length > 0) way.send(net, at, again);
    book.opened("producer-sent-again", again);
  };
  const steps = 4 + upTo("steps", 8);
  const restoredAfter = Math.floor(draw("restored after") * steps);
  for (let step = 0; step < steps; step += 1) {
    const [at, other] = [pick("at", ids), pick("other", ids)];
    const cell = pick("which", cells);
    switch (pick("step", ["consume", "send", "send", "send", "cut", "heal", "hush", "hush", "close", "move", "wait"] as const)) {
      case "consume":
        if (cell.startsWith("topic.")) await passers.join(at, `topic://${cell}`);
        for (const queue of wayOf(cell).queues)
          await readers.connect(at, queue, restored || draw("prefetch") < 0.75 ? {} : { prefetchSize: 5 });
        break;
      case "send":
        sendSome(at, cell);
        break;
      case "cut":
        if (at !== other) net.cut(at, other);
        break;
      case "heal":
        if (at !== other) net.heal(at, other);
        break;
      case "hush":
        if (at !== other) net.hush(at, other, pick("silence", ["hangs", "accepts and says nothing", undefined] as const));
        break;
      case "close":
        await pick("who", [...readers.ofQueues(), ...passers.here(), undefined])?.close();
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
  fate.end();
  for (const at of ids) {
    for (const other of ids) {
      net.heal(at, other);
      net.hush(at, other);
    }
  }
  trouble.moveBack(net.cloud.queues);
  const places = canReplay && draw("at one place") < 0.5 ? [pick("the last place", ids)] : ids;
  for (const at of places) for (const cell of cells) for (const queue of wayOf(cell).queues) await readers.connect(at, queue);
  const left = await untilQuiet(net, passers.areNobodys);
  readers.note();
  return { world: "network", seed, tallies: book.judge(left), census: fate.census, spent: [] };
};

/** Lets the network run until no queue holds a message, forty minutes at most; answers what is left. */
const untilQuiet = async (
  { run, cloud: { queues } }: SimulatedNetwork,
  isNobodys: (arn: string) => boolean,
): Promise<readonly string[]> => {
  const left = () =>
    queues
      .arns()
      .filter((arn) => !arn.endsWith("sys-control") && !isNobodys(arn))
      .flatMap((arn) => queues.peek(arn).flatMap(({ body }) => bodiesIn(body)));
  for (let turn = 0; turn < 8; turn += 1) {
    await run(5 * minute);
    if (left().length === 0) break;
  }
  return left();
};

/** Clients and what they read, told to the ledger. Those of a `once` cell run it behind one guard, wherever they are. */
const readersOf = (net: SimulatedNetwork, book: Ledger) => {
  const clients: { readonly client: SimulatedClient; readonly destination: string }[] = [];
  const note = (destination: string, { body, destination: from }: Message, reader = destination): void => {
    if (body.type === "text") book.received(from.kind === "queue" ? destinationKey(from) : reader, body.text);
  };
  interface Taken {
    readonly id: string;
    readonly destination: string;
    readonly message: Message;
  }
  const guard = once(({ destination, message }: Taken) => note(destination, message), {
    store: memoryStore(),
    handlerTimeout,
    now: net.now,
  });
  return {
    connect: async (at: string, destination: string, options = {}): Promise<void> => {
      const client = net.connect(at);
      const handle = async (message: Message) => {
        const ended = await guard({ id: message.id, destination, message });
        return "later" in ended ? { later: ended.later } : ("done" as const);
      };
      await client.consume(destination, options, { acks: true, ...(destination.includes("//once.") && { handle }) });
      clients.push({ client, destination });
    },
    of: (destination: string): readonly string[] =>
      clients.filter((one) => one.destination === destination).map(({ client }) => client.connection),
    ofQueues: () => clients.filter(({ destination }) => destination.startsWith("queue://")).map(({ client }) => client),
    note: (): void => {
      for (const { client, destination } of clients.filter((one) => !one.destination.includes("//once.")))
        for (const { message } of client.received) note(destination, message, client.connection);
    },
  };
};
