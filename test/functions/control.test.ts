import { describe, expect, test } from "vitest";
import { makeKey, signerOf, verifierOf } from "../../aws/keys.ts";
import { untilPassed } from "../../core/broker/contended.ts";
import type { ControlOutcome } from "../../core/broker/control/control.ts";
import type { Outcome } from "../../core/broker/dispatch/outcome.ts";
import { backOff } from "../../core/carry/back-off.ts";
import type { HandOver, OutgoingEvent } from "../../core/ports.ts";
import { controlHandler } from "../../functions/control.ts";
import { aRecord } from "../support/a-message.ts";
import { sliceOf } from "../support/a-slice.ts";
import { sha256 } from "../support/hash.ts";
import { memoryBrain, peerDemandOf } from "../support/memory/brain.ts";
import { memoryCloud } from "../support/memory/cloud.ts";
import { memoryPorts } from "../support/memory/ports.ts";
import { networkOf, pair } from "../support/simulator/topologies.ts";
import { aContext, anSqsEvent, rememberingReturns } from "./an-event.ts";

const handling = async ({ configured = true, buries = true } = {}) => {
  const slice = sliceOf(networkOf(pair), "a");
  const brain = memoryBrain();
  const key = makeKey();
  if (configured) await brain.write("broker", "", "broker", { slice, version: 1, keys: [key.publicKey], peerKeys: {} }, 0);
  const buried: HandOver[] = [];
  const sent: OutgoingEvent[] = [];
  const observed: ControlOutcome[] = [];
  const odd: Outcome[] = [];
  const returns = rememberingReturns();
  const handler = controlHandler(
    {
      ...memoryPorts(
        memoryCloud(() => 0),
        slice,
        sha256,
      ),
      identity: { self: slice.broker, hash: sha256, signer: signerOf(key.privateKey), verifyWith: verifierOf },
      brain,
      counters: brain,
      table: brain,
      longest: 60_000,
      clock: () => 1_000_000,
      peers: peerDemandOf(new Map()),
      returns,
      events: {
        send: async (events) => {
          sent.push(...events);
          return { dropped: 0 };
        },
      },
      targets: {
        handOver: async (handOvers) => {
          buried.push(...handOvers);
          return handOvers.map(() => (buries ? { answer: "accepted" } : { answer: "silent", why: "no answer" }));
        },
      },
    },
    { dispatched: (outcomes) => void odd.push(...outcomes), controlled: (outcomes) => void observed.push(...outcomes), passed: () => {} },
  );
  return { handler, buried, sent, observed, odd, returns, brain };
};

const events = (...bodies: readonly object[]) =>
  anSqsEvent(bodies.map((body, n) => ({ ...aRecord({ body: JSON.stringify(body) }), ref: `e${n}` })));
const effective = { event: "effective", link: "b:to-a", destination: "queue://orders", version: 7 };

describe("control", () => {
  test("a tick only sends events", async () => {
    const { handler, sent } = await handling();
    expect(await handler({ tick: true }, aContext())).toBeUndefined();
    expect(sent.map(({ event }) => event.event)).toEqual(["probe", "compare", "look"]);
  });

  test("what is no event goes to the dead letters with its reason, and its neighbours are followed", async () => {
    const { handler, buried, brain, observed, odd } = await handling();
    expect(await handler(events({ event: "nonsense" }, effective), aContext())).toEqual({ batchItemFailures: [] });
    expect(buried.map(({ target }) => target.to)).toEqual(["dead-letters"]);
    expect(buried[0]?.wire.attributes["SpanMQ.deadLetter"]?.value).toContain('"destination":"control"');
    expect((await brain.read("effective", "queue://orders", "b:to-a"))?.value.version).toBe(7);
    expect(observed).toMatchObject([{ event: "effective", verdict: "applied" }]);
    expect(odd).toMatchObject([
      { ref: "e0", steps: [{ verdict: "dead-lettered", reason: "undecodable", why: expect.stringContaining("event") }] },
    ]);
  });

  test("what is no JSON isn't quoted where it is logged", async () => {
    const { handler, odd } = await handling();
    await handler(anSqsEvent([aRecord({ body: "hunter2" })]), aContext());
    expect(odd).toMatchObject([{ steps: [{ why: "no JSON" }] }]);
  });

  test("where even the dead letters don't answer it comes again", async () => {
    const { handler, odd } = await handling({ buries: false });
    expect(await handler(events({ event: "nonsense" }), aContext())).toEqual({ batchItemFailures: [{ itemIdentifier: "e0" }] });
    expect(odd).toMatchObject([{ steps: [{ verdict: "given-back", reason: "undecodable" }] }]);
  });

  test("before the deployment has written its configuration every event comes again, with a reason", async () => {
    const { handler, observed, returns } = await handling({ configured: false });
    expect(await handler(events(effective), aContext())).toEqual({ batchItemFailures: [{ itemIdentifier: "e0" }] });
    expect(observed[0]?.why).toContain("configuration");
    expect(returns.delayed).toEqual([{ receipt: "receipt-e0", seconds: 2 }]);
  });

  test("an event that fails comes again, later each time; its neighbours are followed", async () => {
    const { handler, brain, observed, returns } = await handling();
    const { write } = brain;
    brain.write = async (kind, scope, id, value, judgedBy) => {
      if (scope === "queue://broken") throw new Error("the table is throttled");
      return write(kind, scope, id, value, judgedBy);
    };
    for (const receiveCount of [1, 4]) {
      const { Records } = events({ ...effective, destination: "queue://broken" }, effective);
      const received = Records.map((record) => ({
        ...record,
        attributes: { ...record.attributes, ApproximateReceiveCount: String(receiveCount) },
      }));
      expect(await handler({ Records: received }, aContext())).toEqual({ batchItemFailures: [{ itemIdentifier: "e0" }] });
    }
    expect(returns.delayed.map(({ seconds }) => seconds)).toEqual([backOff(1), backOff(4)]);
    expect(observed.slice(0, 2)).toMatchObject([{ verdict: "again", why: "Error: the table is throttled" }, { verdict: "applied" }]);
    expect((await brain.read("effective", "queue://orders", "b:to-a"))?.value.version).toBe(7);
  });

  test("one that met somebody else comes again at once, however often that was so", async () => {
    const { handler, brain, returns } = await handling();
    brain.write = async () => "moved";
    for (const receiveCount of [1, 9]) {
      const [record] = events(effective).Records;
      const attributes = { ...record?.attributes, ApproximateReceiveCount: String(receiveCount) };
      await handler({ Records: [{ ...record, attributes }] as never }, aContext());
    }
    expect(returns.delayed.map(({ seconds }) => seconds)).toEqual([untilPassed, untilPassed]);
  });

  test("a peer that doesn't answer is no failure: the event is dropped with that reason", async () => {
    const { handler, observed } = await handling();
    expect(await handler(events({ event: "hint", from: "b", destination: "queue://orders", version: 1 }), aContext())).toEqual({
      batchItemFailures: [],
    });
    expect(observed).toMatchObject([{ verdict: "dropped", why: expect.stringContaining("doesn't answer") }]);
  });
});
