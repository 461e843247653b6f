import { describe, expect, test } from "vitest";
import type { TransferOutcome } from "../../core/jms-bridge/outcome.ts";
import { transferObserver } from "../../functions/observe-transfer.ts";
import { transferHandler } from "../../functions/transfer.ts";
import { aRecord } from "../support/a-message.ts";
import { bridgeWorld } from "../support/bridging.ts";
import { aContext, aSqsRecord, rememberingReturns } from "./an-event.ts";

const ordersArn = "arn:aws:sqs:us-east-1:000000000000:orders";

const handling = (timeoutSeconds = 60) => {
  const bridge = bridgeWorld();
  const returns = rememberingReturns();
  const observed: TransferOutcome[] = [];
  const observer = { transferred: (_: string, outcomes: readonly TransferOutcome[]) => void observed.push(...outcomes) };
  const ports = { ...bridge.ports, longest: 1_000 * timeoutSeconds, sourceNow: async () => bridge.ports.source, returns, ordersArn };
  return { ...bridge, returns, observed, handler: transferHandler(ports, observer, () => bridge.world.now) };
};
const anEvent = (bodies: readonly string[], arn?: string) => ({
  Records: bodies.map((body, i) => aSqsRecord({ ...aRecord({ body }), ref: `r${i}`, id: `r${i}`, sentAt: 1_000_000 }, arn)),
});

describe("transfer", () => {
  test("carries a batch of the source, tells what became of each message, and lets Lambda delete it", async () => {
    const { handler, bodies, observed } = handling();
    expect(await handler(anEvent(["a", "b"]), aContext())).toEqual({ batchItemFailures: [] });
    expect(bodies("target")).toEqual(["a", "b"]);
    expect(observed.map(({ verdict }) => verdict)).toEqual(["handed-over", "handed-over"]);
  });

  test("gives nothing back because its target is away", async () => {
    const { handler, world, bodies } = handling();
    world.moodOf = () => "hangs";
    expect(await handler(anEvent(["a", "b"]), aContext())).toEqual({ batchItemFailures: [] });
    expect(bodies("undelivered")).toEqual(["a", "b"]);
  });

  test("gives a message back that another handler is at, for as long as that one may run", async () => {
    const { handler, ports, returns } = handling();
    const claimed = [{ key: "bridge|audit|source|r0", owner: "r0", attempt: "another", plan: "target" as const }];
    await ports.audit.claim(claimed, 1_000_000);
    expect(await handler(anEvent(["a"]), aContext())).toEqual({ batchItemFailures: [{ itemIdentifier: "r0" }] });
    expect(returns.delayed).toEqual([{ receipt: "receipt-r0", seconds: 65 }]);
  });

  test("lets an order come again while the target is away; what is no order is deleted", async () => {
    const { handler, world, returns } = handling();
    world.moodOf = () => "refuses";
    const answer = await handler(anEvent(['{"attempt":"x"}', "no order"], ordersArn), aContext());
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "r0" }] });
    expect(returns.delayed).toEqual([{ receipt: "receipt-r0", seconds: 5 }]);
  });

  test("of a function with little time looks for most of it", async () => {
    const { handler, queues, bodies } = handling(10);
    queues.send("undelivered", { body: "parked", attributes: {} });
    await handler(anEvent(['{"attempt":"x"}'], ordersArn), aContext(9_000));
    expect(bodies("target")).toEqual(["parked"]);
  });

  test("ends a look when its time is nearly over, and goes on at once", async () => {
    const { handler, steps, returns } = handling();
    await handler(anEvent(['{"attempt":"x"}'], ordersArn), aContext(9_000));
    expect(steps).not.toContain("receive parked");
    expect(returns.delayed).toEqual([{ receipt: "receipt-r0", seconds: 0 }]);
  });
});

test("each outcome is one line, troubles as warnings, and is counted by the bridge", () => {
  const lines: unknown[] = [];
  const counts: unknown[] = [];
  const observer = transferObserver({ log: (...line) => lines.push(line), count: (...count) => counts.push(count) });
  observer.transferred("audit", [
    { ref: "1", messageId: "m1", verdict: "handed-over" },
    { ref: "2", messageId: "m2", verdict: "handed-over" },
    { ref: "3", messageId: "m3", verdict: "lost", reason: "target-silent" },
  ]);
  expect(lines).toMatchObject([
    ["info", "handed-over", { bridge: "audit", messageId: "m1" }],
    ["info", "handed-over", { messageId: "m2" }],
    ["warn", "lost", { messageId: "m3", reason: "target-silent" }],
  ]);
  expect(counts).toEqual([
    ["handed-over", "bridge audit", 2],
    ["lost", "bridge audit", 1],
  ]);
});
