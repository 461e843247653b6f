import fc from "fast-check";
import { expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { type SimulatedNetwork, simulate, standing } from "../../support/simulator/network.ts";
import { chain, networkOf, pair, ring } from "../../support/simulator/topologies.ts";

const minute = 60_000;
const queue = "queue://orders";

/** What a message says of itself; a plain producer's says nothing. */
interface Said {
  readonly kind?: string;
  readonly size?: number;
}

/** Selectors, and what they take, said once more in other words. */
const takes: Readonly<Record<string, (said: Said) => boolean>> = {
  "": () => true,
  "kind = 'x'": ({ kind }) => kind === "x",
  "kind IN ('x', 'y')": ({ kind }) => kind === "x" || kind === "y",
  "kind <> 'x'": ({ kind }) => kind !== undefined && kind !== "x",
  "size > 1": ({ size }) => size !== undefined && size > 1,
  "kind IS NULL OR size = 1": ({ kind, size }) => kind === undefined || size === 1,
  "kind = 'x' AND size + 1 < 3": ({ kind, size }) => kind === "x" && size !== undefined && size < 2,
};

const coming = fc.record({
  do: fc.constant("come" as const),
  at: fc.constantFrom("a", "b", "c"),
  selector: fc.constantFrom(...Object.keys(takes)),
  priority: fc.constantFrom(0, 0, 5),
});
const leaving = fc.record({ do: fc.constant("leave" as const), who: fc.nat() });
const sending = fc.record({
  do: fc.constantFrom("send" as const, "send" as const, "send directly" as const),
  at: fc.constantFrom("a", "b", "c"),
  said: fc.record({ kind: fc.constantFrom("x", "y", "z"), size: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: [] }),
  count: fc.integer({ min: 1, max: 5 }),
});
const waiting = fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 0, max: 240 }) });
const history = fc.array(fc.oneof(coming, sending, leaving, waiting), { minLength: 4, maxLength: 16 });
type Step = typeof history extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

interface Present {
  readonly client: SimulatedClient;
  readonly selector: string;
}

const propertiesOf = ({ kind, size }: Said) => ({
  ...(kind !== undefined && { kind: { type: "string", value: kind } as const }),
  ...(size !== undefined && { size: { type: "int", value: size } as const }),
});

const play = async (net: SimulatedNetwork, here: string, steps: readonly Step[]) => {
  const sent = new Map<string, Said>();
  const all: Present[] = [];
  const present: Present[] = [];
  for (const step of steps) {
    if (step.do === "wait") await net.run(step.seconds * 1_000);
    else if (step.do === "leave") await present.splice(step.who % Math.max(1, present.length), 1)[0]?.client.close();
    else if (!here.includes(step.at)) continue;
    else if (step.do === "come") {
      const one = { client: net.connect(step.at), selector: step.selector };
      await one.client.consume(queue, { priority: step.priority, ...(step.selector && { selector: step.selector }) });
      all.push(one);
      present.push(one);
    } else {
      const said = step.do === "send" ? step.said : {};
      const texts = Array.from({ length: step.count }, (_, index) => `m${sent.size + index}`);
      for (const text of texts) sent.set(text, said);
      if (step.do === "send") net.send(step.at, queue, texts, { properties: propertiesOf(said) });
      else net.sendDirect(step.at, queue, texts);
    }
  }
  return { sent, all, present };
};

test("when all is quiet nothing waits that somebody present takes, nobody got what his selector refuses, and nothing is lost or doubled", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(pair, chain(3), ring(3)), fc.boolean(), history, async (ways, conduitSubscriptions, steps) => {
      const destinationPolicies = [{ destination: "queue://>", replayWhenNoConsumers: true, selectorAware: true }];
      const here = ["a", "b", "c"].filter((id) => ways.includes(id)).join("");
      const brokers = Object.fromEntries([...here].map((id) => [id, { queues: ["orders"], destinationPolicies }]));
      const net = await simulate(networkOf(ways, { networkTTL: -1, conduitSubscriptions }, { brokers }));
      const { sent, all, present } = await play(net, here, steps);
      await net.run(30 * minute);

      const received = all.flatMap(({ client, selector }) => client.bodies().map((body) => ({ body, selector })));
      const waits = standing(net, "m");
      expect([...received.map(({ body }) => body), ...waits].toSorted()).toEqual([...sent.keys()].toSorted());
      const does = (selector: string, body: string): boolean => takes[selector]?.(sent.get(body) ?? {}) ?? false;
      expect(received.filter(({ selector, body }) => !does(selector, body))).toEqual([]);
      expect(waits.filter((body) => present.some(({ selector }) => does(selector, body)))).toEqual([]);
      expect(net.problems()).toEqual([]);
    }),
    { numRuns: 15 },
  );
});
