import { describe, expect, test } from "vitest";
import { bridgeWorld } from "../../support/bridging.ts";

const minute = 60_000;
const hour = 60 * minute;

/** A bridge that has parked what it was given while its target was away. */
const broken = async (bodies: readonly string[], mood: "refuses" | "hangs" = "refuses") => {
  const bridge = bridgeWorld();
  bridge.world.moodOf = () => mood;
  for (const body of bodies) bridge.send(body);
  await bridge.poll();
  bridge.steps.length = 0;
  return bridge;
};

describe("while the target is away", () => {
  test("it is looked at and nothing is sent; the source stays off", async () => {
    const { world, steps, runUntil } = await broken(["a", "b"]);
    await runUntil(world.now + 12_000);
    expect(steps).toEqual([...twoLooks, "claim", "look at the target", "turn off"].slice(0, 6));
    expect(world.isOn).toBe(false);
  });

  test("each batch that fails before the source is off has an order, and one of them looks", async () => {
    const { world, poll, send, steps, runUntil } = await broken(["a"]);
    world.isOn = true; // switching takes its time
    send("b");
    await poll();
    steps.length = 0;
    await runUntil(world.now + 6_000);
    expect(steps.filter((step) => step === "look at the target")).toHaveLength(1);
  });

  test("an order is never older than a week, or SQS would forget it", async () => {
    const { world, queues, runUntil } = await broken(["a"]);
    world.now += 8 * 24 * hour;
    await runUntil(world.now + 1);
    world.moodOf = () => "takes";
    expect(queues.peek("orders")).toHaveLength(1);
    await runUntil();
    expect(world.isOn).toBe(true);
  });
});

const twoLooks = ["claim", "look at the target", "turn off", "claim", "look at the target", "turn off"];

describe("when the target is back", () => {
  test("one parked message goes first, then all others, then the source is on", async () => {
    const { world, bodies, steps, runUntil } = await broken(["a", "b", "c"]);
    world.moodOf = () => "takes";
    await runUntil();
    const redriven = (n: number) => ["claim", `hand over to ${Array(n).fill("target").join()}`, "settle", "delete from undelivered"];
    expect(steps).toEqual([
      ...["claim", "look at the target"],
      ...["receive parked", ...redriven(1)],
      ...["receive parked", ...redriven(2)],
      ...["receive parked", "turn on", "release"],
      // Whoever sent the order may have parked more until his time was over.
      ...["claim", "look at the target", "receive parked", "turn on", "release"],
    ]);
    expect([bodies("target"), bodies("undelivered"), world.isOn]).toEqual([["a", "b", "c"], [], true]);
  });

  test("and a delete of what was parked doesn't hold: it is found again, and dropped", async () => {
    const { world, queues, bodies, runUntil } = await broken(["a"]);
    world.moodOf = () => "takes";
    const { remove } = queues;
    Object.assign(queues, { remove: (queue: string, receipt: string) => queue === "undelivered" || remove(queue, receipt) });
    await runUntil(world.now + minute);
    Object.assign(queues, { remove });
    await runUntil();
    expect([bodies("target"), bodies("undelivered"), world.isOn]).toEqual([["a"], [], true]);
  });

  test.for([
    { rule: "Lambda doesn't switch just then", isSwitchStuck: true, isShort: false },
    { rule: "the time of the look is over just then", isSwitchStuck: false, isShort: true },
  ])("and a delete doesn't hold, and $rule: what finds nothing before the copy is seen again isn't the last look", async (how) => {
    const { world, queues, bodies, runUntil } = await broken(["a"]);
    world.now += hour; // whoever sent the order has ended
    Object.assign(world, { moodOf: () => "takes", isSwitchStuck: how.isSwitchStuck, looks: how.isShort ? 1 : Number.POSITIVE_INFINITY });
    const { remove } = queues;
    Object.assign(queues, { remove: (queue: string, receipt: string) => queue === "undelivered" || remove(queue, receipt) });
    await runUntil(world.now + 1_000);
    Object.assign(queues, { remove });
    Object.assign(world, { isSwitchStuck: false, looks: Number.POSITIVE_INFINITY });
    await runUntil();
    expect([bodies("target"), bodies("undelivered"), world.isOn]).toEqual([["a"], [], true]);
  });

  test("and Lambda doesn't switch: the order comes again until it does", async () => {
    const { world, bodies, runUntil } = await broken(["a"]);
    Object.assign(world, { moodOf: () => "takes", isSwitchStuck: true });
    await runUntil(world.now + minute);
    expect([bodies("target"), world.isOn]).toEqual([["a"], false]);
    world.isSwitchStuck = false;
    await runUntil();
    expect(world.isOn).toBe(true);
  });

  test("and the audit doesn't release the breaker: the order comes again until it does, or nobody would look again", async () => {
    const { world, ports, poll, send, queues, runUntil } = await broken(["a"]);
    const { audit } = ports;
    Object.assign(ports, { audit: { ...audit, release: async () => ["unreleased"] } });
    world.now += hour;
    world.moodOf = () => "takes";
    await runUntil(world.now + minute);
    expect([world.isOn, queues.peek("orders").length > 0]).toEqual([true, true]);
    Object.assign(ports, { audit });
    await runUntil();
    expect(queues.peek("orders")).toEqual([]);
    world.moodOf = () => "refuses";
    send("b");
    await poll();
    expect(world.isOn).toBe(false);
  });

  test("and one of them isn't deleted: the order comes again and finds it, however old it is", async () => {
    const { world, ports, bodies, runUntil } = await broken(["a", "b"]);
    const { remove } = ports.parked;
    let failed = 0;
    const fails: typeof remove = async ([first, ...copies]) => {
      failed += 1;
      return failed === 1 ? [false, ...(await remove(copies))] : remove(first ? [first, ...copies] : copies);
    };
    Object.assign(ports, { parked: { ...ports.parked, remove: fails } });
    world.now += hour;
    world.moodOf = () => "takes";
    await runUntil();
    expect([bodies("target").toSorted(), bodies("undelivered"), world.isOn]).toEqual([["a", "b"], [], true]);
  });

  test("and refuses the first of them nonetheless, all others wait on", async () => {
    const { world, bodies, runUntil } = await broken(["a", "b", "c"]);
    world.moodOf = (body) => (body === "" ? "takes" : "refuses");
    await runUntil(world.now + 6_000);
    expect([bodies("undelivered").length, world.isOn]).toEqual([3, false]);
  });

  test("a message that it refuses again and again is given up on at last: others don't wait for it for ever", async () => {
    const { world, bodies, runUntil } = await broken(["odd", "a"]);
    world.moodOf = (body) => (body === "odd" ? "dislikes" : "takes");
    await runUntil();
    expect([bodies("target"), bodies("dead-letters"), world.isOn]).toEqual([["a"], ["odd"], true]);
  });
});

describe.for(["refuses", "hangs"] as const)("a target that %s for an hour", (mood) => {
  test("spends no receive of the source: with a maxReceiveCount of 1 nothing is dead-lettered, and all arrive in the end", async () => {
    const { world, send, bodies, runUntil } = bridgeWorld({ maxReceiveCount: 1 });
    world.moodOf = () => mood;
    const [back, sent] = [world.now + hour, [] as string[]];
    while (world.now < back) {
      sent.push(`m${sent.length}`);
      send(sent.at(-1) ?? "");
      await runUntil(world.now + minute);
      world.now += minute;
    }
    world.moodOf = () => "takes";
    await runUntil();
    expect(bodies("source-dlq")).toEqual([]);
    expect(bodies("target").toSorted()).toEqual(sent.toSorted());
  });
});
