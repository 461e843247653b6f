import { dice } from "../support/hostile/dice.ts";
import { bodies, simulate } from "../support/simulator/network.ts";
import { chain, mesh, networkOf, pair, ring } from "../support/simulator/topologies.ts";
import { type Census, troubles } from "./faults.ts";

export interface Verdict {
  readonly seed: number;
  readonly sent: number;
  readonly delivered: number;
  readonly lost: readonly string[];
  /** Delivered more than once, and no documented window says why. */
  readonly doubled: readonly string[];
  /** Delivered more than once through a documented window. */
  readonly excused: number;
  readonly stuck: number;
  readonly census: Census;
}

const ids = ["a", "b", "c"] as const;
const queues = ["queue://orders", "queue://jobs"] as const;
const topic = "topic://prices";
const second = 1_000;
const minute = 60 * second;

/** One random history under random faults, judged when all is well again. The same seed plays the same history. */
export const playHistory = async (seed: number): Promise<Verdict> => {
  const draw = dice(seed);
  const pick = <T>(row: string, choices: readonly T[]): T => choices[Math.floor(draw(row) * choices.length)] as T;
  const upTo = (row: string, most: number): number => 1 + Math.floor(draw(row) * most);
  const trouble = troubles(draw);
  const ways = pick("ways", [`${pair}, b <-> c`, chain(3), ring(3), mesh(3)]);
  const input = networkOf(ways, { networkTTL: 3, conduitSubscriptions: draw("conduit") < 0.5 });
  const net = await simulate(input, { disturbance: trouble.disturbance });
  const subscribers = new Map<string, Awaited<ReturnType<typeof subscribe>>>();
  const subscribe = async (at: string) => {
    const client = net.connect(at);
    await client.consume(topic);
    return client;
  };
  for (const at of ids) subscribers.set(at, await subscribe(at));
  await net.run();
  const clients = [];
  const sent: string[] = [];
  const published: string[] = [];
  const steps = 4 + upTo("steps", 8);
  for (let step = 0; step < steps; step += 1) {
    const [at, other] = [pick("at", ids), pick("other", ids)];
    switch (pick("step", ["consume", "send", "send", "publish", "cut", "heal", "hush", "close", "wait"] as const)) {
      case "consume": {
        const client = net.connect(at);
        await client.consume(pick("destination", queues));
        clients.push(client);
        break;
      }
      case "send": {
        const texts = bodies(`q${step}`, upTo("count", 12));
        sent.push(...texts);
        net.send(at, pick("destination", queues), texts);
        break;
      }
      case "publish": {
        const texts = bodies(`t${step}`, upTo("count", 4));
        published.push(...texts);
        net.publish(at, topic, texts);
        break;
      }
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
        await pick("who", [...clients, undefined])?.close();
        break;
      default:
        break;
    }
    await net.run(upTo("wait", 90) * second);
  }
  trouble.end();
  for (const at of ids) {
    for (const other of ids) {
      net.heal(at, other);
      net.hush(at, other);
    }
  }
  for (const at of ids) {
    const client = net.connect(at);
    for (const queue of queues) await client.consume(queue);
    clients.push(client);
  }
  await net.run(40 * minute);
  const received = clients.flatMap((client) => client.bodies());
  const perSubscriber = [...subscribers.values()].map((client) => client.bodies());
  const counts = [countsOf(received), ...perSubscriber.map(countsOf)];
  const twice = counts.flatMap((count) => [...count].filter(([, times]) => times > 1).map(([body]) => body));
  return {
    seed,
    sent: sent.length + published.length * perSubscriber.length,
    delivered: counts.reduce((sum, count) => sum + count.size, 0),
    lost: [
      ...sent.filter((body) => !received.includes(body)),
      ...perSubscriber.flatMap((got) => published.filter((body) => !got.includes(body))),
    ],
    doubled: twice.filter((body) => !trouble.windows.has(body)),
    excused: twice.filter((body) => trouble.windows.has(body)).length,
    stuck: net.cloud.queues
      .arns()
      .filter((arn) => !arn.endsWith("sys-control") && !arn.endsWith("sys-dead-letters"))
      .reduce((sum, arn) => sum + (net.cloud.queues.depth(arn)?.visible ?? 0), 0),
    census: trouble.census,
  };
};

const countsOf = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(texts, (text) => text)].map(([text, its]) => [text, its.length]));
