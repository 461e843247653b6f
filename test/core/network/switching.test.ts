import fc from "fast-check";
import { expect, test } from "vitest";
import { nativeSubscriber } from "../../support/simulator/native.ts";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, networkOf, pair } from "../../support/simulator/topologies.ts";

const topic = "topic://TEST.FOO";
const second = 1_000;
/** What our own subscription takes to be effective, and a native one to be found by a tick. */
const effectiveAfter = { own: 20 * second, native: 700 * second };
const longestWait = effectiveAfter.native;

/** Somebody who listens at a broker: what he got, and from which message to which he was surely to get each. */
interface Listener {
  readonly kind: "own" | "native";
  bodies(): readonly string[];
  leave(): unknown;
  readonly since: number;
  readonly left?: number;
}

const comes = async (net: SimulatedNetwork, at: string, kind: Listener["kind"], n: number): Promise<Listener> => {
  const since = net.now() + effectiveAfter[kind];
  if (kind === "native") return { kind, since, ...nativeSubscriber(net, at, topic, `native${n}`) };
  const client = net.connect(at);
  await client.consume(topic);
  return { kind, since, bodies: () => client.bodies(), leave: () => client.close() };
};

/** What happens next, and how long it then stays so. */
const step = fc.record({
  what: fc.constantFrom("own comes", "native comes", "one leaves", "the way on is cut", "the way on is healed", "nothing"),
  who: fc.nat(),
  seconds: fc.constantFrom(1, 10, 70, 500),
});
const kinds = { "own comes": "own", "native comes": "native" } as const;

/**
 * Messages flow from a while subscribers come to b and go, some of them natively; c, further on, always listens. Each message is sent alone,
 * two seconds apart.
 */
const played = async (ways: string, history: readonly { readonly what: string; readonly who: number; readonly seconds: number }[]) => {
  const ids = [...new Set(ways.match(/\w/g))];
  const net = await simulate(
    networkOf(ways, { networkTTL: 2 }, { brokers: Object.fromEntries(ids.map((id) => [id, { topics: ["TEST.FOO"] }])) }),
  );
  const last = await comes(net, ids.at(-1) ?? "", "own", 0);
  const home = await comes(net, "a", "own", 0);
  await net.run(longestWait);
  const sent: { readonly body: string; readonly at: number }[] = [];
  const there: Listener[] = [];
  const gone: Listener[] = [];
  for (const { what, who, seconds } of history) {
    if (what === "own comes" || what === "native comes") there.push(await comes(net, "b", kinds[what], there.length + gone.length));
    else if (what === "one leaves" && there.length > 0) {
      const [leaving] = there.splice(who % there.length, 1);
      await leaving?.leave();
      if (leaving) gone.push({ ...leaving, left: net.now() });
    } else if (what === "the way on is cut") net.cut("b", "c");
    else if (what === "the way on is healed") net.heal("b", "c");
    for (let passed = 0; passed < seconds; passed += Math.max(2, seconds / 10)) {
      const body = `m${sent.length}`;
      sent.push({ body, at: net.now() });
      net.publish("a", topic, [body]);
      await net.run(Math.max(2, seconds / 10) * second);
    }
  }
  net.heal("b", "c");
  await net.run(longestWait);
  return { net, sent, always: [last, home], passing: [...there, ...gone] };
};

test.for([
  { name: "of a chain", ways: chain(3) },
  { name: "of a pair", ways: pair },
])("at the far broker $name subscribers come and go, direct and published: nothing is lost, nothing comes twice", async ({ ways }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (history) => {
      const { net, sent, always, passing } = await played(ways, history);
      const all = sent.map(({ body }) => body).toSorted();
      for (const listener of always) expect(listener.bodies().toSorted()).toEqual(all);
      for (const { bodies, since, left = Number.POSITIVE_INFINITY } of passing) {
        const got = bodies();
        expect(new Set(got).size).toBe(got.length);
        const surely = sent.filter(({ at }) => at >= since && at < left).map(({ body }) => body);
        expect(surely.filter((body) => !got.includes(body))).toEqual([]);
      }
      expect(net.problems()).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("the histories of the law do switch both ways, and have breakers open in the middle", async () => {
  const what = ["own comes", "native comes", "one leaves", "the way on is cut", "own comes", "the way on is healed", "nothing"];
  const { net } = await played(
    chain(3),
    what.map((each) => ({ what: each, who: 1, seconds: 500 })),
  );
  const reasons = new Set(net.broker("b").outcomes.flatMap(({ cameBy, steps }) => (cameBy ? steps.map(({ reason }) => reason) : [])));
  for (const reason of ["known-subscribers", "native-subscriber", "breaker-open", "target-refused"]) expect(reasons).toContain(reason);
  expect(net.crossings("c", "b")).toBe(0);
});
