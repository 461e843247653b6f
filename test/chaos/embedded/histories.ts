import { setTimeout as pause } from "node:timers/promises";
import { PublishCommand } from "@aws-sdk/client-sns";
import { ListQueuesCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { memoryStore, once, type ReceivedMessage } from "../../../client/index.ts";
import type { Call } from "../../support/hostile/call.ts";
import { dice } from "../../support/hostile/dice.ts";
import { catalogue } from "../../support/hostile/faults.ts";
import { bodiesIn, bodyOf, type Cell, embeddedCells } from "../cells.ts";
import { type Fates, fates } from "../fates.ts";
import { type Ledger, ledger } from "../ledger.ts";
import type { Verdict } from "../verdict.ts";
import { gatewayFaults } from "./gateway-faults.ts";
import { drawLot } from "./lots.ts";
import { moods } from "./peer-moods.ts";
import { type BrokerName, brokers, networkName, type StandingNetwork, standUp } from "./standing-network.ts";

const bridge = { source: "embedded-bridge.ONCE_AND_ONLY_ONCE.source", target: "embedded-bridge.ONCE_AND_ONLY_ONCE" };
const each = 6;
const second = 1_000;

/** Plays histories on one network that stands, one after the other; each is judged by what its own messages came to. */
export const playEmbedded = async (histories: number, seed: number): Promise<readonly Verdict[]> => {
  let fate = fates(dice(seed));
  const onStrike = (fault: string, call: Call) => fate.struck(fault, "gateway", isSubscribers(call) ? "embedded-topic.audited" : call);
  const network = await standUp({
    seed,
    bridge,
    onStrike,
    lotOf: (event, sqs) => drawLot(fate, sqs, event),
    onMood: (mood, { input }) => fate.struck(`peer ${mood}`, "hand-over", bodiesIn(input)),
  });
  try {
    const books: Ledger[] = [];
    const bookOf = (body: string): Ledger | undefined => books[Math.floor(Number(body.slice(body.indexOf("/") + 1)) / perHistory)];
    await openReaders(network, (reader, body) => bookOf(body)?.received(reader, body));
    const verdicts: Verdict[] = [];
    for (let n = 0; n < histories; n += 1) {
      books.push(ledger());
      fate = fates(dice(seed + n));
      verdicts.push(await playOne(network, books[n] as Ledger, n, seed + n, fate));
    }
    return verdicts;
  } finally {
    await network.stop();
  }
};

const perHistory = 1_000;
const topic = (cell: Cell) => `topic://${cell}`;
const queuesOf = (cell: Cell): readonly string[] =>
  cell.startsWith("embedded-composite.") ? [`queue://${cell}.x`, `queue://${cell}.y`] : [`queue://${cell}`];
/** A subscriber's own queue is named by its connection, and there is one topic. */
const isSubscribers = ({ input }: Call): boolean => /-c\d+-topic$/.test(input.QueueUrl ?? "");
const isTopic = (cell: Cell): boolean => cell.startsWith("embedded-topic.");

/** Queues are read in eu, and what the bridge brings where it ends; a topic in both. Every reader stands behind `once`. */
const openReaders = async (network: StandingNetwork, received: (reader: string, body: string) => void): Promise<void> => {
  const [store, handlerTimeout] = [memoryStore(), 10 * second];
  const guarded = (reader: string) => once(({ text }: ReceivedMessage) => received(reader, text), { store, handlerTimeout, scope: reader });
  const connections = { us: await network.connectTo("us"), eu: await network.connectTo("eu") };
  for (const cell of embeddedCells) {
    if (isTopic(cell)) for (const at of brokers) await connections[at].subscribe(topic(cell), guarded(at));
    else for (const queue of queuesOf(cell)) await connections.eu.consume(queue, guarded(queue));
  }
  await Promise.all(brokers.map((at) => connections[at].ready({ timeout: 300 * second })));
};

/** Shorter than until a breaker is probed. */
const moodLasts = 4 * second;

const playOne = async (network: StandingNetwork, book: Ledger, turn: number, seed: number, fate: Fates): Promise<Verdict> => {
  const { draw, census } = fate;
  const mood = moods[turn % (moods.length + 1)];
  if (mood) network.peers.turn(mood, AbortSignal.timeout(moodLasts));
  fate.begin();
  network.layer.ask(Object.fromEntries(gatewayFaults.map((name) => [name, catalogue[name].rate * draw(name)])));
  for (const { cell, body } of inAnyOrder(turn, draw)) {
    const at = cell.startsWith("embedded-bridge.") ? "us" : (brokers[Math.floor(draw("at") * 2)] ?? "us");
    book.sent(body, isTopic(cell) ? brokers : queuesOf(cell));
    await send(network, at, cell, body);
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
  return { world: "embedded", seed, tallies: book.judge(left), census, spent: [] };
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

const send = async ({ direct }: StandingNetwork, at: BrokerName, cell: Cell, body: string): Promise<void> => {
  const { sqs, sns } = direct(at);
  const queue = (kind: string) => `http://sqs/000000000000/spanmq-${networkName}-${at}-${kind}`;
  const region = { us: "us-east-1", eu: "eu-west-1" }[at];
  const physical = (name: string) => name.replace(/[^A-Za-z0-9]/g, (sign) => (sign === "." ? "-" : `_${sign}`));
  const sendTo = (QueueUrl: string, destination?: string) =>
    sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: body,
        ...(destination !== undefined && { MessageAttributes: { destination: { DataType: "String", StringValue: destination } } }),
      }),
    );
  if (isTopic(cell)) {
    const TopicArn = `arn:aws:sns:${region}:000000000000:spanmq-${networkName}-${at}-t-${physical(cell)}`;
    await sns.send(new PublishCommand({ TopicArn, Message: body }));
  } else if (cell.startsWith("embedded-bridge.")) await sendTo(queue(`q-${physical(bridge.source)}`));
  else if (cell.startsWith("embedded-direct.") && at === "eu") await sendTo(queue(`q-${physical(cell)}`));
  else await sendTo(queue("sys-ingress"), queuesOf(cell).join());
};

/** Messages of this turn that are visible somewhere, past the layer. */
const standing = async ({ direct }: StandingNetwork, turn: number): Promise<readonly string[]> => {
  const { sqs } = direct("us");
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ MaxResults: 1_000 }));
  const seen = await Promise.all(QueueUrls.filter((url) => !url.endsWith("-sys-control")).map((url) => bodiesAt(sqs, url)));
  return seen.flat().filter((body) => Math.floor(Number(body.slice(body.indexOf("/") + 1)) / perHistory) === turn);
};

const bodiesAt = async (sqs: SQSClient, QueueUrl: string): Promise<readonly string[]> => {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }));
  return Messages.flatMap(({ Body }) => bodiesIn(Body));
};
