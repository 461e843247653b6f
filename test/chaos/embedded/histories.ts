import { setTimeout as pause } from "node:timers/promises";
import { GetQueueAttributesCommand, ListQueuesCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { memoryStore, once, type ReceivedMessage } from "../../../client/index.ts";
import type { Call } from "../../support/hostile/call.ts";
import { dice } from "../../support/hostile/dice.ts";
import { catalogue } from "../../support/hostile/faults.ts";
import { bodiesIn, bodyOf, type Cell, embeddedCells } from "../cells.ts";
import { type Census, type Fates, fates } from "../fates.ts";
import { type Ledger, ledger } from "../ledger.ts";
import type { Verdict } from "../verdict.ts";
import { bareWindows } from "./bare-windows.ts";
import { gatewayFaults } from "./gateway-faults.ts";
import { drawLot } from "./lots.ts";
import { moods } from "./peer-moods.ts";
import { brokers, type StandingNetwork, standUp } from "./standing-network.ts";
import { bridge, isBare, orderedQueue, wayOf } from "./ways.ts";

const each = 6;
const second = 1_000;

/** Plays histories on one network that stands, one after the other; each is judged in the end, by what its own messages came to. */
export const playEmbedded = async (histories: number, seed: number, progress: (line: string) => void): Promise<readonly Verdict[]> => {
  let fate = fates(dice(seed));
  const books: Ledger[] = [];
  const bookOf = (body: string): Ledger | undefined => books[turnOf(body)];
  const windows = bareWindows((window, bodies) => {
    for (const body of bodies) bookOf(body)?.opened(window, [body]);
  });
  const network = await standUp({
    seed,
    bridge,
    orderedQueue,
    watch: windows.gate,
    onStrike: (fault, call, event) => {
      fate.struck(fault, "gateway", isSubscribers(call) ? "embedded-topic.audited" : call);
      windows.struck(fault, call, event);
    },
    onDeath: (event, after, by) => {
      fate.struck("crash", `after ${after}`, event);
      windows.died(event, by);
    },
    lotOf: (event, sqs) => drawLot(fate, sqs, event),
    onMood: (mood, { input }) => fate.struck(`peer ${mood}`, "hand-over", bodiesIn(input)),
  });
  try {
    await openReaders(network, (reader, body) => bookOf(body)?.received(reader, body));
    const played: Played[] = [];
    for (let n = 0; n < histories; n += 1) {
      books.push(ledger());
      fate = fates(dice(seed + n));
      const began = performance.now();
      played.push(await playOne(network, books[n] as Ledger, n, fate));
      progress(`embedded history ${n + 1} of ${histories}: ${Math.round((performance.now() - began) / second)} s`);
    }
    await until(() => nothingInFlight(network), 60 * second);
    return played.map(({ book, census, left }, n) => ({ world: "embedded", seed: seed + n, tallies: book.judge(left), census, spent: [] }));
  } finally {
    await network.stop();
  }
};

const perHistory = 1_000;
const turnOf = (body: string): number => Math.floor(Number(body.slice(body.indexOf("/") + 1)) / perHistory);
/** A subscriber's own queue is named by its connection, and there is one topic. */
const isSubscribers = ({ input }: Call): boolean => /-c\d+-topic$/.test(input.QueueUrl ?? "");

/** Every reader stands behind `once`, but the bare one. */
const openReaders = async (network: StandingNetwork, received: (reader: string, body: string) => void): Promise<void> => {
  const [store, handlerTimeout] = [memoryStore(), 10 * second];
  const bare =
    (reader: string) =>
    ({ text }: ReceivedMessage) =>
      received(reader, text);
  const guarded = (reader: string) => once(bare(reader), { store, handlerTimeout, scope: reader });
  const connections = { us: await network.connectTo("us"), eu: await network.connectTo("eu") };
  for (const cell of embeddedCells) await wayOf(cell).read(connections, isBare(cell) ? bare : guarded);
  await Promise.all(brokers.map((at) => connections[at].ready({ timeout: 300 * second })));
};

/** Shorter than until a breaker is probed. */
const moodLasts = 4 * second;

/** A copy that is in flight may double later. */
interface Played {
  readonly book: Ledger;
  readonly census: Census;
  readonly left: readonly string[];
}

const playOne = async (network: StandingNetwork, book: Ledger, turn: number, fate: Fates): Promise<Played> => {
  const { draw, census } = fate;
  const mood = moods[turn % (moods.length + 1)];
  if (mood) network.peers.turn(mood, AbortSignal.timeout(moodLasts));
  fate.begin();
  network.layer.ask(Object.fromEntries(gatewayFaults.map((name) => [name, catalogue[name].rate * draw(name)])));
  for (const { cell, body } of inAnyOrder(turn, draw)) {
    const { from, readers, groupOf, send } = wayOf(cell);
    const at = from[Math.floor(draw("at") * from.length)] ?? "us";
    book.sent(body, readers, groupOf(at));
    await send(network, at, body);
  }
  const isMissing = () => [...book.judge([]).values()].some(({ lost }) => lost.length > 0);
  await until(() => !isMissing(), 20 * second);
  fate.end();
  network.layer.calm();
  await until(() => !isMissing(), 90 * second);
  let left: readonly string[] = [];
  await until(async () => {
    left = await standing(network, turn);
    return left.length === 0;
  }, 60 * second);
  return { book, census, left };
};

/** The messages of a history, those of all cells among each other: a batch has some of each. */
const inAnyOrder = (turn: number, draw: Fates["draw"]): readonly { readonly cell: Cell; readonly body: string }[] =>
  embeddedCells
    .flatMap((cell) => Array.from({ length: each }, (_, n) => ({ cell, body: bodyOf(cell, turn * perHistory + n), at: draw("order") })))
    .toSorted((a, b) => a.at - b.at);

/** On a busy machine a look may fail: the next one tells. */
const until = async (holds: () => boolean | Promise<boolean>, ms: number): Promise<void> => {
  const end = performance.now() + ms;
  const look = async () => holds();
  while (!(await look().catch(() => false)) && performance.now() < end) await pause(100);
};

const queuesIn = async ({ direct }: StandingNetwork): Promise<readonly string[]> => {
  const { QueueUrls = [] } = await direct("us").sqs.send(new ListQueuesCommand({ MaxResults: 1_000 }));
  return QueueUrls.filter((url) => !url.endsWith("-sys-control"));
};

const nothingInFlight = async (network: StandingNetwork): Promise<boolean> => {
  const { sqs } = network.direct("us");
  const look = (QueueUrl: string) => sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [inFlight] }));
  const depths = await Promise.all((await queuesIn(network)).map(look));
  return depths.every(({ Attributes }) => Attributes?.[inFlight] === "0");
};
const inFlight = "ApproximateNumberOfMessagesNotVisible";

/** Messages of this turn that are visible somewhere, past the layer. */
const standing = async (network: StandingNetwork, turn: number): Promise<readonly string[]> => {
  const { sqs } = network.direct("us");
  const seen = await Promise.all((await queuesIn(network)).map((url) => bodiesAt(sqs, url)));
  return seen.flat().filter((body) => turnOf(body) === turn);
};

const bodiesAt = async (sqs: SQSClient, QueueUrl: string): Promise<readonly string[]> => {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }));
  return Messages.flatMap(({ Body }) => bodiesIn(Body));
};
