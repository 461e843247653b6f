import { describe, expect, test } from "vitest";
import { memoryCloud } from "../support/memory/cloud.ts";

const wire = (body: string) => ({ body, attributes: {} });
const bodies = (records: readonly { readonly body: string }[] | undefined) => records?.map(({ body }) => body);

/** A cloud with queue `q` and topic `t`, and its clock. */
const cloudAt = (start: number, options = {}) => {
  const clock = { now: start };
  const cloud = memoryCloud(() => clock.now, options);
  cloud.queues.create("q");
  cloud.topics.create("t");
  return { ...cloud, clock };
};

describe("queues of the memory cloud follow the virtual clock", () => {
  test("a delayed message appears when it is due", () => {
    const { queues, clock } = cloudAt(1_000);
    queues.send("q", wire("later"), { delaySeconds: 5 });
    expect(queues.receive("q", 10, 30_000)).toEqual([]);
    expect(queues.nextVisibleAt()).toBe(6_000);
    clock.now = 6_000;
    expect(bodies(queues.receive("q", 10, 30_000))).toEqual(["later"]);
  });

  test("a message that isn't deleted comes again with another receipt, and counts", () => {
    const { queues, clock } = cloudAt(1_000);
    queues.send("q", wire("x"));
    const [first] = queues.receive("q", 10, 30_000) ?? [];
    clock.now = 31_000;
    const [second] = queues.receive("q", 10, 30_000) ?? [];
    expect(second).toMatchObject({ id: first?.id, sentAt: 1_000, receiveCount: 2 });
    queues.remove("q", first?.receipt ?? "");
    expect(queues.depth("q")).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    queues.remove("q", second?.receipt ?? "");
    expect(queues.depth("q")).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  test("the depth tells visible, in flight and delayed apart", () => {
    const { queues } = cloudAt(0);
    for (const body of ["a", "b", "c"]) queues.send("q", wire(body));
    queues.send("q", wire("d"), { delaySeconds: 1 });
    queues.receive("q", 1, 30_000);
    expect(queues.depth("q")).toEqual({ visible: 2, inFlight: 1, delayed: 1 });
    expect(bodies(queues.peek("q"))).toEqual(["a", "b", "c", "d"]);
  });

  test("a queue that isn't there answers nothing", () => {
    const { queues } = cloudAt(0);
    expect([queues.send("none", wire("x")), queues.receive("none", 1, 0), queues.depth("none")]).toEqual([undefined, undefined, undefined]);
    expect(queues.nextVisibleAt()).toBeUndefined();
  });

  test("two runs of one history have the same ids", () => {
    const run = () => cloudAt(0).queues.send("q", wire("x"));
    expect(run()).toBe(run());
  });
});

describe("topics of the memory cloud", () => {
  test("an envelope whose queue is gone waits in the subscription's undelivered queue", () => {
    const { queues, topics } = cloudAt(0);
    topics.subscribe("t", "gone", "q");
    topics.publish("t", wire("x"));
    expect(queues.peek("q").map(({ body }) => JSON.parse(body).Message)).toEqual(["x"]);
  });

  test("a subscription delivers only after its lag", () => {
    const { queues, topics, clock } = cloudAt(0, { subscriptionLagMs: 15_000 });
    topics.subscribe("t", "q");
    topics.publish("t", wire("early"));
    clock.now = 15_000;
    topics.publish("t", wire("late"));
    expect(queues.peek("q").map(({ body }) => JSON.parse(body).Message)).toEqual(["late"]);
  });
});
