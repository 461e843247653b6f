import { describe, expect, test } from "vitest";
import { whereaboutsOf } from "../../../../aws/whereabouts.ts";
import { drainPass } from "../../../../core/broker/dispatch/drain.ts";
import type { PassOrder } from "../../../../core/broker/events.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { HandOver, HandOverAnswer } from "../../../../core/ports.ts";
import type { RestingPlace } from "../../../../core/routing/plan.ts";
import type { Candidate, DestinationView } from "../../../../core/routing/view.ts";
import { accepted, aView, dispatching, localConsumers, refused, silent } from "../../../support/dispatching.ts";
import { sha256 } from "../../../support/hash.ts";
import { bodies } from "../../../support/simulator/network.ts";

const queue = "queue://orders";
const shared: RestingPlace = { to: "queue", destination: destinationOf(queue) };
const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link: linkId(brokerId("a"), "to-b") };
const order: PassOrder = { place: shared, pass: "p1", counter: 7, viewRevision: 3 };
const always = () => true;

/** A queue with resting messages, and a pass over it. */
const resting = (views: readonly DestinationView[], texts: readonly string[], answerOf?: (handOver: HandOver) => HandOverAnswer) => {
  const world = dispatching(views, answerOf);
  const { arn } = whereaboutsOf(world.slice, sha256).queueOf(shared);
  world.cloud.queues.create(arn);
  for (const body of texts) world.cloud.queues.send(arn, { body, attributes: {} });
  const result = () => world.events.map(({ event }) => event.event === "pass-result" && event.result).at(-1);
  return {
    ...world,
    result,
    left: () => world.cloud.queues.peek(arn).map(({ body }) => body),
    visible: () => world.cloud.queues.depth(arn)?.visible,
    pass: (mayContinue = always) => drainPass(world.ports, order, () => world.clock.now, mayContinue),
  };
};

describe("a drain pass", () => {
  test("moves everything that has a candidate elsewhere, and says so", async () => {
    const { pass, left, handed, result } = resting([aView(queue, [toB])], bodies("m", 25));
    await pass();
    expect(left()).toEqual([]);
    expect(handed.map(({ target, wire }) => [target.to, wire.body])).toEqual(bodies("m", 25).map((body) => ["link", body]));
    expect(result()).toEqual({ ...order, moved: 25, left: 0, complete: true });
  });

  test("gives back what stays, at once visible to consumers", async () => {
    const { pass, left, visible, handed, result } = resting([aView(queue, [localConsumers])], bodies("m", 25));
    await pass();
    expect([left(), visible(), handed]).toEqual([bodies("m", 25), 25, []]);
    expect(result()).toMatchObject({ moved: 0, left: 25, complete: true });
  });

  test("leaves local consumers their share", async () => {
    const { pass, left, result } = resting([aView(queue, [localConsumers, toB])], bodies("m", 20));
    await pass();
    expect([left().length, result()]).toEqual([10, { ...order, moved: 10, left: 10, complete: true }]);
  });

  test("leaves a resting message whose destination has no view", async () => {
    const { pass, left } = resting([], ["m"]);
    await pass();
    expect(left()).toEqual(["m"]);
  });

  test("stops where its target refuses everything, instead of trying a whole backlog", async () => {
    const { pass, left, visible, handed, result } = resting([aView(queue, [toB])], bodies("m", 25), () => refused("throttled"));
    await pass();
    expect([left().length, visible(), handed.length]).toEqual([25, 25, 10]);
    expect(result()).toMatchObject({ moved: 0, left: 10, complete: false });
  });

  test("keeps what got no answer, moves the rest", async () => {
    const { pass, left, result } = resting([aView(queue, [toB])], bodies("m", 12), ({ wire }) => (wire.body === "m-3" ? silent : accepted));
    await pass();
    expect([left(), result()]).toEqual([["m-3"], { ...order, moved: 11, left: 1, complete: true }]);
  });

  test("is cut when the invocation's time is nearly over: the next order goes on", async () => {
    const { pass, left, result } = resting([aView(queue, [toB])], bodies("m", 25));
    await pass(() => false);
    expect([left().length, result()]).toEqual([15, { ...order, moved: 10, left: 0, complete: false }]);
  });

  test("buries what has expired", async () => {
    const { pass, handed, left, clock, cloud, slice } = resting([aView(queue, [localConsumers])], []);
    const { arn } = whereaboutsOf(slice, sha256).queueOf(shared);
    cloud.queues.send(arn, { body: "old", attributes: { SpanMQ: { type: "String", value: JSON.stringify({ v: 1, expiration: 500 }) } } });
    clock.now = 1_000;
    await pass();
    expect([handed.map(({ target }) => target.to), left()]).toEqual([["dead-letters"], []]);
  });

  test("whose deletes fail gives back what it held and is reported as cut, so that the next one need not wait for its lease", async () => {
    const views = [aView(queue, [localConsumers, toB])];
    const { ports, result, visible } = resting(views, bodies("m", 10));
    const remove = () => Promise.reject(new Error("5 of 5 messages stay"));
    await expect(drainPass({ ...ports, resting: { ...ports.resting, remove } }, order, () => 0, always)).rejects.toThrow("messages stay");
    expect([result(), visible()]).toEqual([{ ...order, moved: 0, left: 5, complete: false }, 5]);
  });

  test.for(["hand over", "tell control"])(
    "that dies when it is about to %s loses nothing: what it held comes back by itself",
    async (dies) => {
      const world = resting([aView(queue, [dies === "hand over" ? toB : localConsumers])], bodies("m", 5));
      const dead = () => Promise.reject(new Error("the invocation died"));
      const ports = dies === "hand over" ? { ...world.ports, targets: { handOver: dead } } : { ...world.ports, events: { send: dead } };
      await expect(drainPass(ports, order, () => 0, always)).rejects.toThrow("died");
      world.clock.now = 10 * 60_000;
      expect([world.left(), world.visible()]).toEqual([bodies("m", 5), 5]);
    },
  );
});
