import { describe, expect, test } from "vitest";
import { once } from "../../../client/once.ts";
import { memoryStore } from "../../../client/once-stores.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { encodeProducer } from "../../../core/message/encode.ts";
import type { Message } from "../../../core/message/message.ts";
import type { HandOver, HandOverAnswer } from "../../../core/ports.ts";
import type { Habit } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate, standing } from "../../support/simulator/network.ts";
import { chain, networkOf, pair } from "../../support/simulator/topologies.ts";
import { dyingOnce } from "./dying.ts";

const second = 1_000;
const minute = 60 * second;
const far = "queue://far";
interface Guarded {
  readonly id: string;
  readonly message: Message;
}
const toLink = ({ target }: HandOver) => target.to === "link";

const network = async (connector = {}) => {
  const net = await simulate(networkOf(pair, connector));
  const there = net.connect("b");
  await there.consume(far);
  await net.run();
  return { net, there };
};

/** Lets everything happen, whoever dies meanwhile. */
const runOn = async (net: SimulatedNetwork, ms: number): Promise<void> => {
  const until = net.now() + ms;
  while (net.now() < until) await net.run(until - net.now()).catch(() => {});
};
const duplicatesAt = (net: SimulatedNetwork, at: string): number =>
  net.broker(at).outcomes.filter(({ steps }) => steps.some(({ verdict, reason }) => verdict === "dropped" && reason === "duplicate"))
    .length;

describe("dispatch dies", () => {
  test("N08 after it handed over and before it deleted, fifty times: each message is delivered once and none is left over", async () => {
    const { net, there } = await network();
    const died = dyingOnce(net, "a", toLink, 5);
    net.send("a", far, bodies("m", 50));
    await runOn(net, 30 * minute);
    expect(died()).toBe(5);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 50).toSorted());
    expect([standing(net, "m"), duplicatesAt(net, "b")]).toEqual([[], 50]);
  });

  test("whoever takes its claims over follows their plans: a consumer that has come here meanwhile gets no second copy", async () => {
    const { net, there } = await network();
    const died = dyingOnce(net, "a", toLink);
    net.send("a", far, bodies("m", 10));
    await runOn(net, second);
    const here = net.connect("a");
    await here.consume(far);
    await runOn(net, 30 * minute);
    expect([died(), there.bodies().toSorted(), here.bodies()]).toEqual([1, bodies("m", 10), []]);
    expect([duplicatesAt(net, "b"), standing(net, "m")]).toEqual([10, []]);
  });

  describe("N38 with twenty messages in flight, while consumers go on at the other broker", () => {
    const twentyInFlight = async (habitAt: (net: SimulatedNetwork) => Habit) => {
      const net = await simulate(networkOf(pair));
      const habit = habitAt(net);
      const [here, there] = [net.connect("a"), net.connect("b")];
      for (const client of [here, there]) await client.consume(far, {}, habit);
      await net.run();
      const died = dyingOnce(net, "a", () => true, 2);
      net.send("a", far, bodies("m", 20));
      await runOn(net, 2 * second);
      await here.close();
      await runOn(net, 30 * minute);
      expect([died(), standing(net, "m")]).toEqual([2, []]);
      return { here: here.bodies(), there: there.bodies() };
    };

    test("twenty results, none twice over the link", async () => {
      const { here, there } = await twentyInFlight(() => ({ acks: true }));
      // What stood in the queue here when dispatch died went to its consumer here; what it then couldn't take goes there.
      expect(new Set([...here, ...there])).toEqual(new Set(bodies("m", 20)));
      expect(new Set(there).size).toBe(there.length);
    });

    test("twenty effects, each once, of a handler behind once, though some messages are delivered twice", async () => {
      const effects: string[] = [];
      const { here, there } = await twentyInFlight(({ now }) => {
        const book = ({ body }: Message) => effects.push(body.type === "text" ? body.text : "");
        const guarded = once(({ message }: Guarded) => book(message), {
          store: memoryStore(),
          handlerTimeout: 30 * second,
          scope: far,
          now,
        });
        const handle = async (message: Message) => {
          const ended = await guarded({ id: message.id, message });
          return "later" in ended ? { later: ended.later } : ("done" as const);
        };
        return { acks: true, handle };
      });
      expect(here.length + there.length).toBeGreaterThan(20);
      expect(effects.toSorted()).toEqual(bodies("m", 20).toSorted());
    });
  });
});

test("C28 a message that its receiver gives up stands once in the dead letters, with reason and origin, though it came twice", async () => {
  const particulars = { brokers: { b: { autoCreateDestinations: [] } } };
  const net = await simulate(networkOf("a -> b", { staticallyIncludedDestinations: [far] }, particulars));
  net.hush("a", "b", "accepts and says nothing");
  net.send("a", far, ["m"]);
  await net.run(second);
  net.hush("a", "b");
  await net.run(5 * minute);
  const letters = net.deadLetters("b");
  expect(letters.map(({ body }) => body)).toEqual(["m"]);
  const { SpanMQ, "SpanMQ.deadLetter": why } = letters[0]?.attributes ?? {};
  expect([JSON.parse(SpanMQ?.value ?? "{}"), JSON.parse(why?.value ?? "{}")]).toMatchObject([
    { path: ["a"] },
    { reason: "not-creatable", destination: far },
  ]);
  expect(duplicatesAt(net, "b")).toBe(1);
});

test("C04 a dead letter that is moved back to the ingress is another try", async () => {
  const having = (queues: string[]) => networkOf(pair, {}, { brokers: { a: { autoCreateDestinations: [], queues } } });
  const net = await simulate(having([]));
  net.send("a", far, ["m"]);
  await net.run();
  const { own } = net.broker("a").where;
  const moveBack = (): void => {
    for (const { receipt, ...letter } of net.cloud.queues.receive(own.queueArn(own.deadLettersQueue), 10, 0) ?? []) {
      net.cloud.queues.send(own.queueArn(own.ingressQueue), letter);
      net.cloud.queues.remove(own.queueArn(own.deadLettersQueue), receipt);
    }
  };
  moveBack();
  await net.run();
  expect(net.deadLetters("a").map(({ body }) => body)).toEqual(["m"]);
  await net.redeploy("a", having(["far"]));
  const reader = net.connect("a");
  await reader.consume(far);
  moveBack();
  await net.run();
  expect([reader.bodies(), net.deadLetters("a")]).toEqual([["m"], []]);
});

describe("a peer", () => {
  /** Refuses some of each batch that a hands to the link, as long as `refuses` says so. */
  const refusing = (net: SimulatedNetwork, refuses: (body: string) => boolean): void => {
    const { targets } = net.broker("a").ports;
    const { handOver } = targets;
    const throttled: HandOverAnswer = { answer: "refused", cause: "throttled", why: "throttled" };
    const partly = (handOvers: readonly HandOver[]) =>
      Promise.all(handOvers.map(async (one) => (toLink(one) && refuses(one.wire.body) ? throttled : (await handOver([one]))[0])));
    Object.assign(targets, { handOver: partly });
  };

  test("N25 that refuses three of ten gets exactly these again, within seconds, and no breaker opens", async () => {
    const { net, there } = await network();
    const refusedOnce = new Set(["m-2", "m-5", "m-6"]);
    refusing(net, (body) => refusedOnce.delete(body));
    net.send("a", far, bodies("m", 10));
    await net.run(second);
    expect([there.bodies().length, net.depth("a", far)]).toEqual([7, 3]);
    await net.run(11 * second);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 10));
    expect([net.crossings("a", "b"), (await net.broker("a").brain.read("broker", "", "broker"))?.value.breakers ?? []]).toEqual([10, []]);
  });

  test("N26 that throttles for five minutes under load loses nothing, and says what waits and why", async () => {
    const { net, there } = await network();
    let isFull = true;
    refusing(net, () => isFull);
    const sent: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const some = bodies(`m${n}`, 5);
      net.send("a", far, some);
      sent.push(...some);
      await net.run(10 * second);
    }
    expect([there.bodies(), net.depth("a", far), net.deadLetters("a")]).toEqual([[], 150, []]);
    const reasons = net.broker("a").outcomes.flatMap(({ steps }) => steps.map(({ verdict, reason }) => `${verdict} ${reason}`));
    expect(new Set(reasons)).toEqual(new Set(["rested target-refused", "rested breaker-open", "passed-on probe"]));
    isFull = false;
    await net.run(5 * minute);
    expect(there.bodies().toSorted()).toEqual(sent.toSorted());
  });

  test("N10 that took a batch and didn't answer drops the second copy, counts it, and has it in no queue", async () => {
    const { net, there } = await network();
    net.hush("a", "b", "accepts and says nothing");
    net.send("a", far, bodies("m", 10));
    await net.run(second);
    net.hush("a", "b");
    await net.run(5 * minute);
    expect([there.bodies().toSorted(), duplicatesAt(net, "b"), standing(net, "m")]).toEqual([bodies("m", 10), 10, []]);
  });
});

test("N34, H37 the sender's user id is the same after two links", async () => {
  const net = await simulate(networkOf(chain(3), { networkTTL: 2 }));
  const reader = net.connect("c");
  await reader.consume(far);
  await net.run();
  const { where } = net.broker("a");
  const message = { destination: destinationOf(far), body: { type: "text", text: "m" }, userId: "u1" } as const;
  net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), encodeProducer(message));
  await net.run();
  expect(reader.received.map(({ message: { userId, brokerPath } }) => [userId, brokerPath])).toEqual([["u1", ["a", "b"]]]);
});

test("with a way that is longer than the hops allow beside one that isn't, the message gets there", async () => {
  const net = await simulate(networkOf("a -> b, b -> c, a -> c, c -> d", { messageTTL: 2, consumerTTL: 3 }));
  const reader = net.connect("d");
  await reader.consume(far);
  await net.run();
  net.send("a", far, bodies("m", 20));
  await net.run();
  expect(reader.bodies().toSorted()).toEqual(bodies("m", 20).toSorted());
  expect(new Set(reader.received.map(({ message }) => message.brokerPath.join("")))).toEqual(new Set(["abc", "ac"]));
});
