import { describe, expect, test } from "vitest";
import { carryOut } from "../../../../core/broker/dispatch/carrying.ts";
import { outcomeOf } from "../../../../core/broker/dispatch/outcome.ts";
import type { NetworkConnector } from "../../../../core/config/slice.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { HandOver, HandOverAnswer } from "../../../../core/ports.ts";
import type { Plan, Subscriber } from "../../../../core/routing/plan.ts";
import { aMessage } from "../../../support/a-message.ts";
import { accepted, dispatching, refused, silent } from "../../../support/dispatching.ts";

const prices = destinationOf("topic://prices");
const toB = linkId(brokerId("a"), "to-b");
const targets: readonly Subscriber[] = [
  { to: "own-queue", queue: "x.1" },
  { to: "own-queue", queue: "x.2" },
  { to: "link", link: toB },
];
const plan: Plan = { plan: "fan-out", targets, destination: prices, reason: "known-subscribers" };
const nameOf = ({ target }: HandOver): string => {
  if (target.to === "own-queue") return target.queue;
  return target.to === "link" ? target.link : target.to;
};
type Answers = Readonly<Record<string, HandOverAnswer>>;

/** One message with three subscriptions, each of which answers as it is told. */
const delivering = (answers: Answers) => {
  let now = answers;
  const world = dispatching([], (handOver) => now[nameOf(handOver)] ?? accepted);
  let connectors: readonly NetworkConnector[] = world.slice.connectors;
  const manner = { onRefusal: "rest", accepted: async () => {}, policies: [] } as const;
  const message = aMessage({ destination: prices });
  const deliver = async (...refs: readonly string[]) => {
    world.handed.splice(0);
    const planned = refs.map((ref) => ({ ref, message: { ...message, id: ref }, plan }));
    const results = await carryOut(world.ports, { ...manner, connectors, keyOf: ({ message: { id } }) => id }, planned, 0);
    const [result] = results;
    if (!result) throw new Error("nothing came of it");
    const { ends, steps } = outcomeOf({ arrival: "message", ref: "m", message }, [result], undefined, 1);
    return {
      ends: ends.is,
      steps: steps.map(({ verdict, reason, target = "", targets = "" }) =>
        `${verdict} ${reason} ${targets} ${target}`.replaceAll(/ +/g, " ").trim(),
      ),
      handed: world.handed.map(nameOf),
    };
  };
  const change = (changed: Answers): void => {
    now = changed;
  };
  const configure = (...changed: readonly NetworkConnector[]): void => {
    connectors = changed;
  };
  return { ...world, deliver, change, configure };
};

const toQueue = "handed-over known-subscribers client-queue";
const toQueues = "handed-over known-subscribers 2 client-queue";
const overLink = `handed-over known-subscribers ${toB}`;

describe("a message for three subscriptions", () => {
  test.for([
    { rule: "is handed to each", answers: {}, ends: "done", steps: [toQueues, overLink], handed: ["x.1", "x.2", toB] },
    {
      rule: "is done with for a consumer whose queue is gone",
      answers: { "x.1": refused("missing") },
      ends: "done",
      steps: ["dropped subscriber-gone", toQueue, overLink],
      handed: ["x.1", "x.2", toB],
    },
    {
      rule: "is parked for the link that says nothing, and for it alone",
      answers: { [toB]: silent },
      ends: "done",
      steps: [toQueues, `parked target-silent ${toB}`],
      handed: ["x.1", "x.2", toB, "undelivered"],
    },
    {
      rule: "is parked for the link that refuses, as SNS would have kept it",
      answers: { [toB]: refused("missing") },
      ends: "done",
      steps: [toQueues, `parked target-refused ${toB}`],
      handed: ["x.1", "x.2", toB, "undelivered"],
    },
    {
      rule: "comes again for a queue that is throttled",
      answers: { "x.2": refused("throttled") },
      ends: "again",
      steps: [toQueue, "given-back target-refused client-queue", overLink],
      handed: ["x.1", "x.2", toB],
    },
    {
      rule: "comes again for a link whose shelter takes nothing either",
      answers: { [toB]: silent, undelivered: silent },
      ends: "again",
      steps: [toQueues, `given-back target-silent ${toB}`],
      handed: ["x.1", "x.2", toB, "undelivered"],
    },
  ])("$rule", async ({ rule: _, answers, ...expected }) => {
    expect(await delivering(answers as Answers).deliver("m")).toEqual(expected);
  });

  test("comes again to those that are left alone, whatever others say by then", async () => {
    const { deliver, change } = delivering({ "x.2": silent });
    expect((await deliver("m")).ends).toBe("again");
    change({ "x.1": refused("denied") });
    expect(await deliver("m")).toEqual({ ends: "done", steps: [toQueue], handed: ["x.2"] });
  });

  describe("and is left for its link alone", () => {
    const left = async () => {
      const world = delivering({ [toB]: silent, undelivered: silent });
      expect((await world.deliver("m")).ends).toBe("again");
      return world;
    };
    test("is done with when the configuration has that link no more: nobody gets it twice for its sake", async () => {
      const { deliver, change, configure } = await left();
      change({ [toB]: refused("missing"), undelivered: refused("missing") });
      configure();
      expect(await deliver("m")).toEqual({ ends: "done", steps: ["dropped subscriber-gone"], handed: [] });
      expect((await deliver("m")).handed).toEqual([]);
    });

    test("waits in its shelter while that link is being removed, so that it doesn't count as stopped", async () => {
      const { deliver, change, configure, slice } = await left();
      change({});
      configure(...slice.connectors.map((connector) => ({ ...connector, removed: true as const })));
      expect(await deliver("m")).toEqual({ ends: "done", steps: [`parked link-removed ${toB}`], handed: ["undelivered"] });
    });
  });

  test("opens the breaker of a link that took none", async () => {
    const { deliver, events } = delivering({ [toB]: silent });
    await deliver("m");
    expect(events.map(({ event }) => event)).toEqual([{ event: "link-failed", link: toB, at: 0 }]);
  });

  test("is sent in one call with the others of its batch", async () => {
    const { deliver, ports } = delivering({});
    const calls: number[] = [];
    const { handOver } = ports.targets;
    Object.assign(ports.targets, { handOver: (sent: readonly HandOver[]) => calls.push(sent.length) && handOver(sent) });
    await deliver("m1", "m2", "m3");
    expect(calls).toEqual([9]);
  });
});
