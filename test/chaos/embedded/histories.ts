import type { SQSRecord } from "aws-lambda";
import { memoryStore, once, type ReceivedMessage } from "../../../client/index.ts";
import { isFifoName } from "../../../core/destination/fifo.ts";
import type { Call } from "../../support/hostile/call.ts";
import { dice } from "../../support/hostile/dice.ts";
import { bodiesIn, embeddedCells } from "../cells.ts";
import { type Census, type Fates, fates } from "../fates.ts";
import { type Ledger, ledger } from "../ledger.ts";
import type { Verdict } from "../verdict.ts";
import type { Window } from "../windows.ts";
import { acceptedBy } from "./accepted.ts";
import { bareWindows } from "./bare-windows.ts";
import { type DeadLetters, deadLetters } from "./dead-letters.ts";
import { drawRates } from "./gateway-faults.ts";
import { drawLot } from "./lots.ts";
import { movedByHand } from "./moved-by-hand.ts";
import { type Mood, moods } from "./peer-moods.ts";
import { sendAll } from "./producers.ts";
import { type Ending, endingOf, inFlight, standing, until } from "./quiet.ts";
import { brokers, type StandingNetwork, standUp } from "./standing-network.ts";

import { bridge, isBare, orderedQueue, wayOf } from "./ways.ts";

const second = 1_000;

/** Plays histories on one network that stands, one after the other; each is judged in the end, by what its own messages came to. */
export const playEmbedded = async (histories: number, seed: number, progress: (line: string) => void): Promise<readonly Verdict[]> => {
  // What is struck late draws and counts in the next history: censuses are only read as their sum, and the pace of the machine mixes draws anyhow.
  let fate = fates(dice(seed));
  const books: Ledger[] = [];
  const bookOf = (body: string): Ledger | undefined => books[turnOf(body)];
  const opened = (window: Window, bodies: readonly string[]): void => {
    for (const body of bodies) bookOf(body)?.opened(window, [body]);
  };
  const windows = bareWindows(opened);
  const byHand = movedByHand((bodies) => opened("moved-by-hand", bodies));
  let sqs = "";
  const letters = deadLetters(
    () => sqs,
    (source, message, id) => {
      fate.struck("moved back by a plain task", "dead letters", message);
      if (givesIds(source)) byHand.moved(id, bodiesIn(message));
    },
  );
  const network = await standUp({
    seed,
    bridge,
    orderedQueue,
    onFate: (call, met, event) => {
      windows.met(call, met, event);
      byHand.handedOver(event, acceptedBy(call, met));
    },
    onStrike: (fault, call) => fate.struck(fault, "gateway", isSubscribers(call) ? "embedded-topic.audited" : call),
    onDeath: (event, after, by) => {
      fate.struck("crash", `after ${after}`, event);
      windows.died(event, by);
      letters.giveUp(event, (record) => maySpend(record) && fate.strikes("given up by SQS", "batch", usual, record));
    },
    onServices: (services) => {
      sqs = services.sqs;
    },
    lotOf: (event) => drawLot(fate, sqs, event),
    onMood: (mood, { input }) => fate.struck(`peer ${mood}`, "hand-over", bodiesIn(input)),
  });
  try {
    await openReaders(network, (reader, body) => bookOf(body)?.received(reader, body));
    const played: Played[] = [];
    for (let n = 0; n < histories; n += 1) {
      books.push(ledger());
      fate = fates(dice(seed + n));
      const began = performance.now();
      played.push(await playOne(network, books[n] as Ledger, n, fate, letters));
      progress(`embedded history ${n + 1} of ${histories}: ${Math.round((performance.now() - began) / second)} s`);
    }
    const flight = await endingOf(() => inFlight(network), 120 * second);
    const flying = [...flight.unseen, ...flight.left.map((queue) => `in flight: ${queue}`)];
    windows.end();
    return played.map(({ book, census, left, unseen }, n) => ({
      world: "embedded",
      seed: seed + n,
      tallies: book.judge(left),
      census,
      spent: [],
      // What flies is nobody's: the last history tells.
      unseen: n === histories - 1 ? [...unseen, ...flying] : unseen,
    }));
  } finally {
    await network.stop();
  }
};

const perHistory = 1_000;
const turnOf = (body: string): number => Math.floor(Number(body.slice(body.indexOf("/") + 1)) / perHistory);

/** One in so many at which a handler died. */
const usual = 3;
/** What was given up and moved back would be out of order on a FIFO queue. */
const maySpend = ({ eventSourceARN, body }: SQSRecord): boolean => !isFifoName(eventSourceARN) && bodiesIn(body).length > 0;
/** A plain message has its id of SQS, and a new one when it is sent anew. */
const givesIds = (source: string): boolean => /-(sys-ingress|q-.*)$/.test(source);
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
interface Played extends Ending {
  readonly book: Ledger;
  readonly census: Census;
}

const playOne = async (network: StandingNetwork, book: Ledger, turn: number, fate: Fates, letters: DeadLetters): Promise<Played> => {
  const { draw, census } = fate;
  const mood = moods[turn % moods.length] as Mood;
  network.peers.turn(mood, AbortSignal.timeout(moodLasts));
  fate.begin();
  network.layer.ask(drawRates(draw));
  await sendAll(network, book, turn * perHistory, draw);
  const isMissing = () => [...book.judge([]).values()].some(({ lost }) => lost.length > 0);
  const isThere = async () => {
    await letters.moveBack();
    return !isMissing();
  };
  await until(isThere, 20 * second);
  fate.end();
  network.layer.calm();
  await until(isThere, 90 * second);
  const look = async () => {
    await letters.moveBack();
    return (await standing(network)).filter((body) => turnOf(body) === turn);
  };
  return { book, census, ...(await endingOf(look, 60 * second)) };
};
