import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { linksWithDemand, sendAndRun, subscribeDurable, unsubscribeDurable } from "../../support/simulator/durables.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, networkOf, pair } from "../../support/simulator/topologies.ts";

const [topic, other, excluded] = ["topic://TEST.FOO", "topic://TEST.BAR", "topic://EXCLUDED"];
const hour = 3_600_000;

/** What happens, one after the other. A subscriber's broker is its first letter; counts are of links that each broker holds demand for. */
type Step =
  | { readonly durable: string; readonly to?: string }
  | { readonly plain: string; readonly to?: string }
  | { readonly close: string }
  | { readonly unsubscribe: string }
  | { readonly send: readonly string[]; readonly at: string; readonly to?: string }
  | { readonly got: readonly string[]; readonly by: string }
  | { readonly stop: string; readonly of: string }
  | { readonly start: string; readonly of: string }
  | { readonly cut: string }
  | { readonly heal: string }
  /** From its table as it is. */
  | { readonly restore: string }
  | { readonly counts: string; readonly of?: string };

/** Each step's consequences are over before the next. */
const play = async (net: SimulatedNetwork, steps: readonly Step[]): Promise<void> => {
  const clients = new Map<string, SimulatedClient>();
  const brokers = [...new Set(steps.flatMap((step) => ("counts" in step ? step.counts.length : [])))][0] ?? 0;
  const take = async (step: Step): Promise<void> => {
    if ("durable" in step) clients.set(step.durable, await subscribeDurable(net, step.durable[0] ?? "", step.to ?? topic, step.durable));
    else if ("plain" in step) {
      const client = net.connect(step.plain[0] ?? "");
      await client.consume(step.to ?? topic);
      clients.set(step.plain, client);
    } else if ("close" in step) await clients.get(step.close)?.close();
    else if ("unsubscribe" in step) {
      await clients.get(step.unsubscribe)?.close();
      await net.run();
      await unsubscribeDurable(net, step.unsubscribe[0] ?? "", step.unsubscribe);
    } else if ("send" in step) await sendAndRun(net, step.at, step.to ?? topic, step.send);
    else if ("got" in step) expect(clients.get(step.by)?.bodies().toSorted()).toEqual([...step.got].toSorted());
    else if ("stop" in step) await net.command(step.of, `to-${step.stop}`, "stop");
    else if ("start" in step) await net.command(step.of, `to-${step.start}`, "start");
    else if ("cut" in step) net.cut(step.cut);
    else if ("heal" in step) net.heal(step.heal);
    else if ("restore" in step) net.backUp(step.restore)();
    else expect(await countsOf(net, "abcde".slice(0, brokers), step.of ?? topic)).toBe(step.counts);
  };
  for (const step of steps) {
    await take(step);
    await net.run();
  }
  expect(net.problems().filter((problem) => !problem.includes("the table was restored"))).toEqual([]);
};
const countsOf = async (net: SimulatedNetwork, brokers: string, of: string) =>
  (await Promise.all(brokers.split("").map(async (at) => (await linksWithDemand(net, at, of)).length))).join("");

interface Scenario {
  readonly rule: string;
  readonly ways: string;
  readonly connector?: Connector;
  readonly steps: readonly Step[];
}

const everyBroker = { topics: ["TEST.FOO", "TEST.BAR", "EXCLUDED"] };
const runs = ({ ways, connector = {} }: Scenario): Promise<SimulatedNetwork> => {
  const brokers = Object.fromEntries([...new Set(ways.match(/\b[a-e]\b/g))].map((id) => [id, everyBroker]));
  return simulate(networkOf(ways, connector, { brokers }));
};

const far: Connector = { networkTTL: -1, syncDurableSubs: true, dynamicallyIncludedDestinations: [`${topic}?forceDurable=true`] };

describe("durable subscriptions over several brokers", () => {
  test.for<Scenario>([
    {
      rule: "D1 two at one end of a chain are one demand, those of the other end another one",
      ways: chain(3),
      connector: far,
      steps: [
        ...[{ durable: "a1" }, { durable: "a2" }, { counts: "011" }],
        ...[
          { send: ["m"], at: "c" },
          { got: ["m"], by: "a1" },
          { got: ["m"], by: "a2" },
        ],
        ...[{ durable: "c1" }, { counts: "121" }],
        ...[{ unsubscribe: "a1" }, { unsubscribe: "a2" }, { unsubscribe: "c1" }, { counts: "000" }],
      ],
    },
    {
      rule: "D2 one on each of three, one after the other",
      ways: chain(3),
      connector: far,
      steps: [
        ...[{ durable: "a1" }, { counts: "011" }, { durable: "b1" }, { counts: "111" }, { durable: "c1" }, { counts: "121" }],
        ...[{ unsubscribe: "a1" }, { unsubscribe: "b1" }, { unsubscribe: "c1" }, { counts: "000" }],
      ],
    },
    {
      rule: "D3 at both ends of five",
      ways: chain(5),
      connector: far,
      steps: [
        ...[{ durable: "a1" }, { counts: "01111" }, { durable: "e1" }, { counts: "12221" }],
        ...[
          { send: ["m"], at: "e" },
          { got: ["m"], by: "a1" },
          { got: ["m"], by: "e1" },
        ],
        ...[{ unsubscribe: "a1" }, { unsubscribe: "e1" }, { counts: "00000" }],
      ],
    },
    {
      rule: "D4 round a hub with three spokes",
      ways: "a <-> b, b <-> c, b <-> d",
      connector: far,
      steps: [
        ...[{ durable: "a1" }, { durable: "a2" }, { counts: "0111" }, { durable: "d1" }, { counts: "1211" }],
        ...[
          { send: ["from a"], at: "a" },
          { send: ["from c"], at: "c" },
          { got: ["from a", "from c"], by: "d1" },
        ],
        ...[{ durable: "b1" }, { durable: "c1" }, { counts: "1311" }],
        ...["a1", "a2", "b1", "c1", "d1"].map((unsubscribe) => ({ unsubscribe })),
        { counts: "0000" },
      ],
    },
    {
      rule: "D5 plain consumers, forced",
      ways: chain(3),
      connector: far,
      steps: [
        ...[{ plain: "a1" }, { counts: "011" }, { send: ["m"], at: "c" }, { got: ["m"], by: "a1" }],
        ...[{ plain: "c1" }, { counts: "121" }, { close: "a1" }, { close: "c1" }, { counts: "000" }],
      ],
    },
    {
      rule: "D6 made, and left, while no connector ran: opened with syncDurableSubs when they do",
      ways: chain(3),
      connector: { ...far, autoStart: false },
      steps: [
        ...["a1", "a2", "c1"].flatMap((durable) => [{ durable }, { close: durable }]),
        { counts: "000" },
        ...["ab", "ba", "bc", "cb"].map((way) => ({ of: way[0] ?? "", start: way[1] ?? "" })),
        { counts: "121" },
      ],
    },
    {
      rule: "B7 of a mesh of three: one message, once to each",
      ways: "a <-> b, b <-> c, a <-> c",
      connector: { networkTTL: 2 },
      steps: [
        ...[{ durable: "a1" }, { durable: "b1" }, { durable: "c1" }, { send: ["m"], at: "a" }],
        ...["a1", "b1", "c1"].map((by) => ({ got: ["m"], by })),
      ],
    },
  ])("$rule", async (scenario) => play(await runs(scenario), scenario.steps));
});

const both: Connector = { syncDurableSubs: true, dynamicallyIncludedDestinations: [topic, other] };
const forced: Connector = { dynamicallyIncludedDestinations: [`${topic}?forceDurable=true`] };

describe("durable demand between two brokers", () => {
  test.for<Scenario>([
    {
      rule: "D11 an unsubscription ends it; D12 also after both were restored",
      ways: pair,
      connector: both,
      steps: [
        ...[{ durable: "b1" }, { counts: "10" }, { unsubscribe: "b1" }, { counts: "00" }],
        ...[{ durable: "b1" }, { close: "b1" }, { restore: "a" }, { restore: "b" }, { counts: "10" }],
        ...[{ unsubscribe: "b1" }, { counts: "00" }],
      ],
    },
    {
      rule: "D13 unsubscribed while the connector is stopped, with a backlog of ten, there is none when it runs, and nobody gets the ten",
      ways: pair,
      connector: both,
      steps: [
        ...[{ durable: "b1" }, { close: "b1" }, { stop: "b", of: "a" }, { send: bodies("m", 10), at: "a" }],
        ...[{ unsubscribe: "b1" }, { start: "b", of: "a" }, { counts: "00" }, { durable: "b1" }, { got: [], by: "b1" }],
      ],
    },
    {
      rule: "D17 one topic's is added, another's removed, while the connector is stopped",
      ways: pair,
      connector: both,
      steps: [
        ...[{ durable: "b1" }, { stop: "b", of: "a" }, { durable: "b2", to: other }, { unsubscribe: "b1" }, { close: "b2" }],
        ...[{ start: "b", of: "a" }, { counts: "00" }, { counts: "10", of: other }],
      ],
    },
    {
      rule: "D18, D24 three on two topics, and one on a topic that isn't included: one demand for each of the two",
      ways: pair,
      connector: { ...both, autoStart: false },
      steps: [
        ...[{ durable: "b1" }, { durable: "b2" }, { durable: "b3", to: other }, { durable: "b4", to: excluded }, { close: "b1" }],
        ...[{ start: "b", of: "a" }, { counts: "10" }, { counts: "10", of: other }, { counts: "00", of: excluded }],
        ...[{ stop: "b", of: "a" }, { start: "b", of: "a" }, { counts: "10" }, { counts: "10", of: other }],
      ],
    },
    {
      rule: "D21 with dynamicOnly one that is offline isn't opened when the connector first runs, D22 and is when it has a subscriber",
      ways: pair,
      connector: { ...both, autoStart: false, dynamicOnly: true },
      steps: [
        ...[{ durable: "b1" }, { close: "b1" }, { start: "b", of: "a" }, { counts: "00" }],
        ...[{ durable: "b1" }, { counts: "10" }, { close: "b1" }, { counts: "10" }],
      ],
    },
    {
      rule: "D23 of two one is removed and a third added while the connector is stopped: there is demand",
      ways: pair,
      connector: both,
      steps: [
        ...[{ durable: "b1" }, { durable: "b2" }, { stop: "b", of: "a" }, { unsubscribe: "b1" }, { durable: "b3" }],
        ...[{ start: "b", of: "a" }, { counts: "10" }, { unsubscribe: "b2" }, { counts: "10" }, { unsubscribe: "b3" }, { counts: "00" }],
      ],
    },
    {
      rule: "D27 a plain consumer's, forced, gets what was sent while the connector was stopped",
      ways: pair,
      connector: forced,
      steps: [
        ...[{ plain: "b1" }, { stop: "b", of: "a" }, { send: bodies("m", 50), at: "a" }, { got: [], by: "b1" }],
        ...[
          { start: "b", of: "a" },
          { got: bodies("m", 50), by: "b1" },
        ],
      ],
    },
    {
      rule: "D28 a static include, forced or D29 not, is demand without anybody",
      ways: "a -> b",
      connector: { staticallyIncludedDestinations: [`${topic}?forceDurable=true`, other] },
      steps: [{ counts: "10" }, { counts: "10", of: other }],
    },
    {
      rule: "D30, D32 a plain consumer's ends when it leaves, forced or not",
      ways: pair,
      connector: { dynamicallyIncludedDestinations: [`${topic}?forceDurable=true`, other] },
      steps: [
        ...[{ plain: "b1" }, { plain: "b2", to: other }, { counts: "10" }, { counts: "10", of: other }],
        ...[{ close: "b1" }, { close: "b2" }, { counts: "00" }, { counts: "00", of: other }],
      ],
    },
    {
      rule: "D31 beside a durable subscription that is unsubscribed it stays (there: it doesn't)",
      ways: pair,
      steps: [{ durable: "b1" }, { plain: "b2" }, { unsubscribe: "b1" }, { counts: "10" }, { close: "b2" }, { counts: "00" }],
    },
    {
      rule: "D33 of three forced ones the last one ends it",
      ways: pair,
      connector: forced,
      steps: [
        ...[{ plain: "b1" }, { plain: "b2" }, { plain: "b3" }, { close: "b1" }, { close: "b2" }, { counts: "10" }],
        ...[{ close: "b3" }, { counts: "00" }],
      ],
    },
    {
      rule: "D34 a durable one first, then a forced one: neither ends the other's",
      ways: pair,
      connector: forced,
      steps: [{ durable: "b1" }, { plain: "b2" }, { close: "b2" }, { counts: "10" }, { unsubscribe: "b1" }, { counts: "00" }],
    },
    {
      rule: "D35 a forced one first, then a durable one that is unsubscribed",
      ways: pair,
      connector: forced,
      steps: [{ plain: "b1" }, { durable: "b2" }, { unsubscribe: "b2" }, { counts: "10" }, { close: "b1" }, { counts: "00" }],
    },
    {
      rule: "D36 both closed, the durable one not unsubscribed: it stays",
      ways: pair,
      connector: forced,
      steps: [
        ...[{ plain: "b1" }, { durable: "b2" }, { close: "b1" }, { close: "b2" }, { counts: "10" }],
        ...[{ unsubscribe: "b2" }, { counts: "00" }],
      ],
    },
    {
      rule: "D37 removed, and made again as a durable or a plain one, it works both ways",
      ways: pair,
      steps: ["ab", "ba"].flatMap(([there = "", here = ""]) => [
        ...[{ durable: `${here}1` }, { unsubscribe: `${here}1` }, { durable: `${here}1` }, { send: [`to ${here}`], at: there }],
        ...[{ got: [`to ${here}`], by: `${here}1` }, { unsubscribe: `${here}1` }, { plain: `${here}2` }],
        ...[{ send: [`again to ${here}`], at: there }, { got: [`again to ${here}`], by: `${here}2` }, { close: `${here}2` }],
      ]),
    },
    {
      rule: "D38, D39 of two subscriptions the last that is unsubscribed ends it",
      ways: pair,
      steps: [
        ...[{ durable: "b1" }, { durable: "b2" }, { unsubscribe: "b1" }, { counts: "10" }],
        ...[{ unsubscribe: "b2" }, { counts: "00" }],
      ],
    },
    {
      rule: "D40 one on each of the two, and one broker away for hours between two messages: each has both, once",
      ways: pair,
      connector: { networkTTL: 2 },
      steps: [
        ...[{ durable: "a1" }, { durable: "b1" }, { send: ["1"], at: "a" }, { cut: "b" }, { heal: "b" }, { send: ["2"], at: "a" }],
        ...[
          { got: ["1", "2"], by: "a1" },
          { got: ["1", "2"], by: "b1" },
        ],
      ],
    },
    {
      rule: "D41 its subscriber away, the connector stopped and started",
      ways: pair,
      connector: { dynamicallyIncludedDestinations: [topic] },
      steps: [
        ...[{ durable: "b1" }, { close: "b1" }, { stop: "b", of: "a" }, { start: "b", of: "a" }, { send: ["m"], at: "a" }],
        ...[{ durable: "b1" }, { got: ["m"], by: "b1" }],
      ],
    },
    {
      rule: "B17, D44 sent on both sides of two outages, dynamicOnly or not: all arrive",
      ways: pair,
      connector: { dynamicOnly: true, networkTTL: 3 },
      steps: [
        ...[{ durable: "b1" }, { cut: "b" }, { send: bodies("m", 10), at: "a" }, { heal: "b" }, { close: "b1" }, { cut: "b" }],
        ...[{ send: bodies("n", 10), at: "a" }, { heal: "b" }, { durable: "b2" }, { unsubscribe: "b2" }],
        { durable: "b1" },
        { got: bodies("n", 10), by: "b1" },
      ],
    },
    {
      rule: "C13, C18 two of a composite are demand for each part, until the last is unsubscribed",
      ways: pair,
      steps: [
        ...["b1", "b2"].map((durable) => ({ durable, to: `${topic},${other}` })),
        ...[{ counts: "10" }, { counts: "10", of: other }, { unsubscribe: "b1" }, { counts: "10" }, { counts: "10", of: other }],
        ...[{ unsubscribe: "b2" }, { counts: "00" }, { counts: "00", of: other }],
      ],
    },
    {
      rule: "C14 one of a composite and one of a part of it both get what is sent to that part",
      ways: pair,
      steps: [
        ...[{ durable: "b1", to: `${topic},${other}` }, { durable: "b2" }, { counts: "10" }, { counts: "10", of: other }],
        ...[
          { send: ["m"], at: "a" },
          { got: ["m"], by: "b1" },
          { got: ["m"], by: "b2" },
        ],
      ],
    },
  ])("$rule", async (scenario) => play(await runs(scenario), scenario.steps));

  test("D7 over two connectors with a topic each it is each one's own: to unsubscribe the one leaves the other", async () => {
    const connectors = (to: string) =>
      [topic, other].map((one, index) => ({ name: `to-${to}-${index}`, to, networkTTL: -1, dynamicallyIncludedDestinations: [one] }));
    const brokers = {
      a: { ...everyBroker, networkConnectors: connectors("b") },
      b: { ...everyBroker, networkConnectors: [...connectors("a"), ...connectors("c")] },
      c: { ...everyBroker, networkConnectors: connectors("b") },
    };
    const net = await simulate(networkOf(chain(3), {}, { brokers }));
    const ends = ["a", "c"].flatMap((at) => [`${at}1`, `${at}2`]);
    await play(net, [
      ...ends.map((durable) => ({ durable, to: durable.endsWith("1") ? topic : other })),
      ...[{ counts: "121" }, { counts: "121", of: other }, { unsubscribe: "a1" }, { unsubscribe: "c1" }],
      ...[{ counts: "000" }, { counts: "121", of: other }],
    ]);
  });

  test("D14-D16 a topic that is included no longer ends its demand, forced static includes too, and leaves the subscription", async () => {
    const including = (...staticallyIncludedDestinations: string[]) =>
      networkOf("a -> b", { staticallyIncludedDestinations, dynamicallyIncludedDestinations: [excluded] }, { brokers: { a: everyBroker } });
    const net = await simulate(including(`${topic}?forceDurable=true`));
    await (await subscribeDurable(net, "b", topic)).close();
    await net.command("a", "to-b", "stop");
    await sendAndRun(net, "a", topic, bodies("m", 10));
    for (const at of ["a", "b"]) expect(await net.redeploy(at, including())).toBeUndefined();
    await net.command("a", "to-b", "start");
    await net.run(hour);
    expect(await linksWithDemand(net, "a", topic)).toEqual([]);
    expect(await net.broker("b").brain.list("durable", "")).toHaveLength(1);
  });
});
