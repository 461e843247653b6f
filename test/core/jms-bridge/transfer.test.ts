import { describe, expect, test } from "vitest";
import type { QualityOfService } from "../../../core/carry/quality-of-service.ts";
import { type BridgeWorldOptions, bridgeWorld, type TargetMood } from "../../support/bridging.ts";

interface Row {
  readonly rule: string;
  readonly mode: QualityOfService;
  readonly mood: TargetMood;
  readonly steps: readonly string[];
  readonly outcome: object;
  readonly at?: string;
  readonly isOn?: boolean;
}

const breaks = ["order", "claim", "turn off"];

describe("one message over the bridge", () => {
  test.for<Row>([
    {
      rule: "once and only once: claimed, handed over, settled, and deleted by its event source",
      mode: "ONCE_AND_ONLY_ONCE",
      mood: "takes",
      steps: ["claim", "hand over to target", "settle"],
      outcome: { verdict: "handed-over" },
      at: "target",
    },
    {
      rule: "duplicates OK: handed over, and deleted by its event source",
      mode: "DUPLICATES_OK",
      mood: "takes",
      steps: ["hand over to target"],
      outcome: { verdict: "handed-over" },
      at: "target",
    },
    {
      rule: "at most once: claimed, deleted, then handed over",
      mode: "AT_MOST_ONCE",
      mood: "takes",
      steps: ["claim", "delete from source", "hand over to target", "settle"],
      outcome: { verdict: "handed-over" },
      at: "target",
    },
    {
      rule: "once and only once: parked when it is refused; an order goes out before, and the source is off",
      mode: "ONCE_AND_ONLY_ONCE",
      mood: "refuses",
      steps: ["claim", "hand over to target", "release", "claim", "order", "hand over to undelivered", "settle", "claim", "turn off"],
      outcome: { verdict: "parked" },
      at: "undelivered",
      isOn: false,
    },
    {
      rule: "once and only once: parked when the target is silent, its claim still held",
      mode: "ONCE_AND_ONLY_ONCE",
      mood: "hangs",
      steps: ["claim", "hand over to target", "order", "hand over to undelivered", "settle", "claim", "turn off"],
      outcome: { verdict: "parked" },
      at: "undelivered",
      isOn: false,
    },
    {
      rule: "duplicates OK: parked when it is refused",
      mode: "DUPLICATES_OK",
      mood: "refuses",
      steps: ["hand over to target", "order", "hand over to undelivered", "claim", "turn off"],
      outcome: { verdict: "parked" },
      at: "undelivered",
      isOn: false,
    },
    {
      rule: "duplicates OK: parked when the target is silent",
      mode: "DUPLICATES_OK",
      mood: "hangs",
      steps: ["hand over to target", "order", "hand over to undelivered", "claim", "turn off"],
      outcome: { verdict: "parked" },
      at: "undelivered",
      isOn: false,
    },
    {
      rule: "at most once: lost when it is refused, since it was deleted before; the source is off",
      mode: "AT_MOST_ONCE",
      mood: "refuses",
      steps: ["claim", "delete from source", "hand over to target", "release", ...breaks],
      outcome: { verdict: "lost", reason: "target-refused", why: "denied" },
      isOn: false,
    },
    {
      rule: "at most once: lost when the target is silent",
      mode: "AT_MOST_ONCE",
      mood: "hangs",
      steps: ["claim", "delete from source", "hand over to target", ...breaks],
      outcome: { verdict: "lost", reason: "target-silent", why: "no answer in 3 s" },
      isOn: false,
    },
    {
      rule: "given up on when it is too large for the target, which says nothing of the target",
      mode: "ONCE_AND_ONLY_ONCE",
      mood: "too-large",
      steps: ["claim", "hand over to target", "release", "claim", "hand over to dead-letters", "settle"],
      outcome: { verdict: "dead-lettered", reason: "too-large", why: "too large" },
      at: "dead-letters",
    },
  ])("$rule", async ({ mode, mood, steps, outcome, at, isOn = true }) => {
    const { world, poll, send, ...seen } = bridgeWorld({ qualityOfServiceMode: mode });
    world.moodOf = () => mood;
    send("hello");
    await poll();
    expect(seen.steps).toEqual(steps);
    expect(seen.outcomes).toMatchObject([outcome]);
    expect({ isOn: world.isOn, at: places.filter((place) => seen.bodies(place).includes("hello")) }).toEqual({ isOn, at: at ? [at] : [] });
  });
});

const places = ["source", "target", "undelivered", "dead-letters", "source-dlq"];

/** What reaches the target of one message, and with what. */
const crossing = async (attributes: object, options: BridgeWorldOptions = {}) => {
  const { poll, send, queues } = bridgeWorld(options);
  send("hello", Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, { type: "String", value }])));
  await poll();
  const [wire] = queues.peek("target");
  return { body: wire?.body, ...wire?.attributes, SpanMQ: JSON.parse(wire?.attributes.SpanMQ?.value ?? "{}") };
};

describe("a message at the target", () => {
  test("has its body, its attributes, its headers and properties, and a time and an id of its own", async () => {
    const header = {
      v: 1,
      id: "old",
      timestamp: 5,
      correlationId: "c-1",
      replyTo: "queue://answers",
      groupId: "g",
      properties: { n: ["i", 7] },
    };
    const crossed = await crossing({ SpanMQ: JSON.stringify(header), shop: "north" });
    expect(crossed).toMatchObject({
      body: "hello",
      shop: { type: "String", value: "north" },
      SpanMQ: { correlationId: "c-1", replyTo: "queue://answers", groupId: "g", properties: { n: ["i", 7] }, timestamp: 1_000_000 },
    });
    expect(crossed.SpanMQ.id).toMatch(/^[0-9a-f]{32}$/);
  });

  test("has the same id whenever it is sent: a retry is told by it", async () => {
    expect((await crossing({})).SpanMQ.id).toBe((await crossing({})).SpanMQ.id);
  });

  test.for([
    { rule: "begins the list of ids that it had", list: undefined, becomes: "id 1" },
    { rule: "appends to the list that it came with, oldest first", list: "a,b", becomes: "a,b,id 1" },
  ])("$rule, if addMessageIDInHeader", async ({ list, becomes }) => {
    const properties = list === undefined ? {} : { AMQ_BRIDGE_MSG_ID_LIST: list };
    const crossed = await crossing({ SpanMQ: JSON.stringify({ v: 1, properties }) }, { addMessageIDInHeader: true });
    expect(crossed.SpanMQ.properties).toEqual({ AMQ_BRIDGE_MSG_ID_LIST: becomes });
  });

  test("keeps a list that it came with as it is, without addMessageIDInHeader", async () => {
    const crossed = await crossing({ SpanMQ: JSON.stringify({ v: 1, properties: { AMQ_BRIDGE_MSG_ID_LIST: "a" } }) });
    expect(crossed.SpanMQ.properties).toEqual({ AMQ_BRIDGE_MSG_ID_LIST: "a" });
  });
});

describe("a batch", () => {
  test("goes on where the target refuses some: these wait, the source stays on, and an order looks after them", async () => {
    const { world, poll, send, bodies, queues } = bridgeWorld();
    world.moodOf = (body) => (body === "odd" ? "dislikes" : "takes");
    for (const body of ["a", "odd", "b"]) send(body);
    await poll();
    expect([bodies("target"), bodies("undelivered"), world.isOn, queues.peek("orders").length]).toEqual([["a", "b"], ["odd"], true, 1]);
  });

  test("has what is no message at its door dead-lettered with the reason, and its neighbours don't notice", async () => {
    const { poll, send, bodies, outcomes } = bridgeWorld();
    send("bad", { SpanMQ: { type: "String", value: "{" } });
    send("good");
    await poll();
    expect([bodies("target"), bodies("dead-letters")]).toEqual([["good"], ["bad"]]);
    expect(outcomes).toMatchObject([{ verdict: "dead-lettered", reason: "undecodable" }, { verdict: "handed-over" }]);
  });
});

test("C26 a message that the bridge's own table doesn't take is tried again after 2, 4, 8 and 16 seconds", async () => {
  const { world, ports, send, runUntil, bodies, left } = bridgeWorld({ maxReceiveCount: 5 });
  const { audit } = ports;
  const tries: number[] = [];
  const claim: typeof audit.claim = async (claims, now) => {
    tries.push(world.now);
    return tries.length < 5 ? claims.map(() => ({ answer: "unknown", why: "throttled" })) : audit.claim(claims, now);
  };
  Object.assign(ports, { audit: { ...audit, claim } });
  send("hello");
  await runUntil();
  expect(tries.slice(1).map((at, index) => at - (tries[index] ?? 0))).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect([bodies("target"), left()]).toEqual([["hello"], []]);
});

test("C04 a dead letter of the bridge that is moved back is another try, whether to its source or to what it has parked", async () => {
  const plain = bridgeWorld().ports.source;
  const hop = { v: 1, id: "x", from: plain.self, path: [], destination: "queue://source", kid: "k", sig: "s" };
  const signed = { SpanMQ: { type: "String", value: JSON.stringify(hop) } };
  const { world, ports, queues, send, poll, runUntil, bodies, left } = bridgeWorld({ source: { ...plain, verify: () => "valid" } });
  const moveBack = (to: string): void => {
    for (const { receipt, ...letter } of queues.receive("dead-letters", 10, 0) ?? []) {
      queues.send(to, letter);
      queues.remove("dead-letters", receipt);
    }
  };
  world.moodOf = () => "too-large";
  send("m", signed);
  await poll();
  moveBack("source");
  await poll();
  expect([bodies("dead-letters"), left()]).toEqual([["m"], ["dead-letters"]]);

  world.moodOf = (body) => (body === "" ? "takes" : "hangs");
  moveBack("source");
  await poll();
  world.moodOf = () => "too-large";
  await runUntil();
  expect(left()).toEqual(["dead-letters"]);
  world.moodOf = () => "takes";
  moveBack("undelivered");
  await ports.orders.send({ attempt: "by hand" }, 0);
  await runUntil();
  expect([bodies("target"), left()]).toEqual([["m"], []]);
});
