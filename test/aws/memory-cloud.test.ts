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

  test.for([
    { how: "refuses", before: 0, after: 1 },
    { how: "hangs", before: 0, after: 1 },
    { how: "accepts and says nothing", before: 1, after: 2 },
  ] as const)("what a queue $how comes when SNS tries again", ({ how, before, after }) => {
    let delivery: string = how;
    const { queues, topics, clock } = cloudAt(0, { delivery: () => delivery });
    topics.subscribe("t", "q");
    topics.publish("t", wire("x"));
    expect(queues.peek("q")).toHaveLength(before);
    expect(topics.retry()).toBe(false);
    delivery = "arrives";
    clock.now = topics.nextRetryAt() ?? 0;
    expect(topics.retry()).toBe(true);
    expect([queues.peek("q").length, topics.nextRetryAt()]).toEqual([after, undefined]);
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

describe("FIFO queues and topics of the memory cloud", () => {
  const order = (group: string, deduplicationId: string) => ({ group, deduplicationId });
  const fifoCloud = () => {
    const cloud = cloudAt(0);
    cloud.queues.create("q.fifo");
    cloud.topics.create("t.fifo");
    const send = (body: string, group: string) => cloud.queues.send("q.fifo", wire(body), { order: order(group, body) });
    const receive = () => cloud.queues.receive("q.fifo", 10, 30_000) ?? [];
    return { ...cloud, send, receive };
  };

  test("of a group with a message in flight nothing is received, of the others it is", () => {
    const { queues, send, receive } = fifoCloud();
    for (const body of ["a1", "a2", "b1"]) send(body, body.slice(0, 1));
    const [first] = queues.receive("q.fifo", 1, 30_000) ?? [];
    expect([first?.body, first?.group, bodies(receive())]).toEqual(["a1", "a", ["b1"]]);
    queues.remove("q.fifo", first?.receipt ?? "");
    expect(bodies(receive())).toEqual(["a2"]);
  });

  test("what was given back for a while holds its group until it is there again, in its place", () => {
    const { queues, clock, send, receive } = fifoCloud();
    for (const body of ["a1", "a2"]) send(body, "a");
    const [first, second] = receive();
    queues.changeVisibility("q.fifo", first?.receipt ?? "", 5);
    queues.changeVisibility("q.fifo", second?.receipt ?? "", 2);
    clock.now = 2_000;
    expect(receive()).toEqual([]);
    clock.now = 5_000;
    expect(bodies(receive())).toEqual(["a1", "a2"]);
  });

  test("a receipt deletes nothing when the visibility is over", () => {
    const { queues, clock, send, receive } = fifoCloud();
    send("a1", "a");
    const [first] = receive();
    clock.now = 30_000;
    queues.remove("q.fifo", first?.receipt ?? "");
    expect(bodies(receive())).toEqual(["a1"]);
  });

  test("one deduplication id is taken once in five minutes for each group, though its message be long gone", () => {
    const { queues, clock, receive } = fifoCloud();
    const send = (group: string) => queues.send("q.fifo", wire(group), { order: order(group, "same") });
    const first = send("a");
    queues.remove("q.fifo", receive()[0]?.receipt ?? "");
    expect([send("a"), bodies(receive())]).toEqual([first, []]);
    send("b");
    expect(bodies(receive())).toEqual(["b"]);
    clock.now = 300_000;
    expect(send("a")).not.toBe(first);
  });

  test.for([
    { rule: "a message without a group", send: () => fifoCloud().queues.send("q.fifo", wire("x")) },
    { rule: "a group with a blank", send: () => fifoCloud().queues.send("q.fifo", wire("x"), { order: order("a b", "x") }) },
    { rule: "a delay", send: () => fifoCloud().queues.send("q.fifo", wire("x"), { order: order("a", "x"), delaySeconds: 1 }) },
    { rule: "a publish without a group", send: () => fifoCloud().topics.publish("t.fifo", wire("x")) },
    { rule: "the order of a standard queue", send: () => fifoCloud().queues.send("q", wire("x"), { order: order("a", "x") }) },
    { rule: "a FIFO queue at the end of a standard topic", send: () => fifoCloud().topics.subscribe("t", "q.fifo") },
  ])("$rule is refused", ({ send }) => {
    expect(send).toThrow(/FIFO|MessageGroupId/);
  });

  test("a topic keeps group and deduplication id for a FIFO queue, and feeds standard ones too", () => {
    const { topics, queues, receive } = fifoCloud();
    for (const queue of ["q.fifo", "q"]) topics.subscribe("t.fifo", queue);
    for (const id of ["1", "1", "2"]) topics.publish("t.fifo", wire(id), order("g", id));
    expect(receive().map(({ group }) => group)).toEqual(["g", "g"]);
    expect(queues.receive("q", 10, 30_000)?.map(({ group }) => group)).toEqual([undefined, undefined]);
  });
});
