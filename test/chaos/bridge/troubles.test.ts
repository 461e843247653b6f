import { expect, test } from "vitest";
import type { BridgePlan } from "../../../core/jms-bridge/ports.ts";
import { bridgeWorld } from "../../support/bridging.ts";
import { type Fates, fates } from "../fates.ts";
import { nobodyReached } from "../reached.ts";
import { bridgeTroubles } from "./troubles.ts";

const cell = "bridge-queue.ONCE_AND_ONLY_ONCE";
const [body, claims] = [`${cell}/1`, [{ key: "bridge|audit|source|id-1", owner: "id-1", attempt: "1" }]];

/** Handlers at one bridge, whom one fault strikes at one port each time. */
const handlersAt = (fault: string, port: string) => {
  const opened: string[] = [];
  const bridge = bridgeWorld();
  const strikes: Fates["strikes"] = (...[what, where]) => what === fault && where === port;
  const { know, portsOf } = bridgeTroubles(bridge.world, {
    cell,
    fates: { ...fates(() => 1), strikes },
    ledger: { opened: (window, bodies) => opened.push(...bodies.map((one) => `${window} ${one}`)) },
    reached: nobodyReached(),
    mood: () => "takes",
  });
  know([{ id: "id-1", body, attributes: {}, receipt: "r", receiveCount: 1 } as never]);
  const handler = () => {
    const { targets, audit, eventSource } = portsOf(bridge.ports);
    return {
      handsOver: (to: BridgePlan) =>
        targets.handOver([{ to, wire: { body, attributes: { SpanMQ: { type: "String", value: JSON.stringify({ id: "given" }) } } } }]),
      settles: () => audit.settle(claims, 0),
      switches: () => eventSource.turn("off"),
    };
  };
  return { handler, opened };
};

test.for<{ to: BridgePlan; windows: readonly string[] }>([
  { to: "target", windows: [`bridge-unsettled ${body}`] },
  { to: "undelivered", windows: [] },
])("a settle that fails for good opens a window for what the target took, once: $to", async ({ to, windows }) => {
  const { handler, opened } = handlersAt("fails for good", "settle");
  const { handsOver, settles } = handler();
  await handsOver(to);
  for (let times = 0; times < 2; times += 1) await settles();
  expect(opened).toEqual(windows);
});

test("a handler's death opens a window for what it handed over itself", async () => {
  const { handler, opened } = handlersAt("crash", "switch");
  const [one, other] = [handler(), handler()];
  await one.handsOver("target");
  await expect(other.switches()).rejects.toThrow("switch");
  expect(opened).toEqual([]);
  await expect(one.switches()).rejects.toThrow("switch");
  expect(opened).toEqual([`bridge-unsettled ${body}`]);
});
