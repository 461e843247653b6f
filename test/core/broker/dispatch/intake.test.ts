import { describe, expect, test } from "vitest";
import { intake } from "../../../../core/broker/dispatch/intake.ts";
import { restingCounter } from "../../../../core/broker/resting.ts";
import { addressesOf } from "../../../../core/destination/addresses.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { encodeProducer } from "../../../../core/message/encode.ts";
import { encodeProbe } from "../../../../core/message/probe.ts";
import type { HandOver } from "../../../../core/ports.ts";
import type { Candidate } from "../../../../core/routing/view.ts";
import { aRecord } from "../../../support/a-message.ts";
import { accepted, always, aView, dispatching, fromProducer, localConsumers, refused, silent } from "../../../support/dispatching.ts";
import { sha256 } from "../../../support/hash.ts";

const ingress = { door: "ingress" } as const;
const queue = "queue://orders";
const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link: linkId(brokerId("a"), "to-b") };
const ten = Array.from({ length: 10 }, (_, n) => fromProducer(`m${n}`, queue));
const body = ({ wire }: HandOver) => wire.body;
const resting = restingCounter({ to: "queue", destination: destinationOf(queue) });

describe("a batch", () => {
  test("with one record that can't be decoded hurts none of its neighbours; that one goes to the dead letters with its reason", async () => {
    const { ports, handed } = dispatching([aView(queue, [localConsumers])]);
    const homeless = { ...aRecord({ body: "homeless" }), ref: "homeless" };
    const outcomes = await intake(ports, ingress, [...ten.slice(0, 4), homeless, ...ten.slice(4)], 0, always);
    expect(outcomes.map(({ ends }) => ends.is)).toEqual(Array(11).fill("done"));
    expect(outcomes[4]?.steps).toMatchObject([
      { verdict: "dead-lettered", reason: "undecodable", why: expect.stringContaining("destination") },
    ]);
    const buried = handed.filter(({ target }) => target.to === "dead-letters");
    expect(buried.map(body)).toEqual(["homeless"]);
    expect(JSON.stringify(buried[0]?.wire.attributes)).toContain("undecodable");
    expect(handed.filter(({ target }) => target.to === "queue").map(body)).toEqual(ten.map(({ body: text }) => text));
  });

  test("with a subscription that SNS doesn't confirm hurts none of its neighbours; just that comes again, with its reason", async () => {
    const { ports, events, slice } = dispatching([]);
    const link = linkId(brokerId("b"), "to-a");
    const place = slice.brokers.find(({ id }) => id === "b");
    const TopicArn = place && addressesOf(slice.network, place, sha256).topicArn("spanmq-test-b-t-prices");
    const asks = { ...aRecord({ body: JSON.stringify({ Type: "SubscriptionConfirmation", Token: "t", TopicArn }) }), ref: "asks" };
    const hello = { link, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 1 };
    const probe = { ...aRecord(), ...encodeProbe(hello), ref: "probe" };
    const subscriptions = { confirm: () => Promise.reject(new Error("no answer in 3 s")) };
    const outcomes = await intake({ ...ports, subscriptions }, { door: "inbound", link }, [asks, probe], 0, always);
    expect(outcomes).toMatchObject([
      { ends: { is: "again" }, steps: [{ verdict: "given-back", reason: "confirmation", why: "no answer in 3 s" }] },
      { ends: { is: "done" } },
    ]);
    expect(events).toHaveLength(1);
  });

  test("of which 3 of 10 get no answer: just these come again", async () => {
    const unlucky = ["m2", "m5", "m9"];
    const { ports } = dispatching([aView(queue, [localConsumers])], (one) => (unlucky.includes(one.wire.body) ? silent : accepted));
    const outcomes = await intake(ports, ingress, ten, 0, always);
    expect(outcomes.filter(({ ends }) => ends.is === "again").map(({ ref }) => ref)).toEqual(unlucky);
  });

  test("shares a destination's candidates as a whole, and the next batch goes on where it ended", async () => {
    const { ports, handed } = dispatching([aView(queue, [localConsumers, toB])]);
    for (const batch of [ten.slice(0, 3), ten.slice(3, 6)]) await intake(ports, ingress, batch, 0, always);
    expect(handed.map(({ target }) => target.to).filter((to) => to === "link")).toHaveLength(3);
  });

  test.for([
    { rule: "a selector that has no answer for what nobody gets is named", selector: "JMSType - 1 = 2", failing: ["JMSType - 1 = 2"] },
    { rule: "one that refuses it isn't", selector: "JMSType = 'other'", failing: undefined },
  ])("$rule", async ({ selector, failing }) => {
    const { ports } = dispatching([aView(queue, [{ ...toB, selectors: [selector] }])]);
    const message = { destination: destinationOf(queue), body: { type: "text", text: "m" }, type: "order" } as const;
    const [outcome] = await intake(ports, ingress, [aRecord(encodeProducer(message))], 0, always);
    expect(outcome?.steps).toEqual([expect.objectContaining({ verdict: "rested", ...(failing && { failing }) })]);
    expect(outcome?.steps[0]?.failing).toEqual(failing);
  });

  test("that rests is counted once it rests, so that control knows", async () => {
    const { ports, counters } = dispatching([aView(queue, [])], (one) => (one.wire.body === "m0" ? silent : accepted));
    const outcomes = await intake(ports, ingress, ten, 0, always);
    expect(await counters.add(resting, 0)).toBe(9);
    expect(outcomes[1]?.steps).toMatchObject([{ verdict: "rested", reason: "no-consumer", destination: queue }]);
  });

  test("for a destination that isn't here asks control to make it, once, and comes again", async () => {
    const { ports, events, handed } = dispatching([]);
    const outcomes = await intake(ports, ingress, ten, 0, always);
    expect(events).toEqual([{ to: "a", event: { event: "create", destination: queue } }]);
    expect(outcomes.every(({ ends }) => ends.is === "again")).toBe(true);
    expect(handed).toEqual([]);
  });

  test("for a queue that is here no more asks for it, too", async () => {
    const { ports, events } = dispatching([aView(queue, [localConsumers])], () => refused("missing"));
    await intake(ports, ingress, ten, 0, always);
    expect(events).toEqual([{ to: "a", event: { event: "create", destination: queue } }]);
  });

  test("for a destination that may not be made goes to the dead letters with what to do", async () => {
    const { ports } = dispatching([]);
    const [outcome] = await intake(ports, ingress, [fromProducer("m", "temp-queue://x")], 0, always);
    expect(outcome?.steps).toMatchObject([
      { verdict: "dead-lettered", reason: "not-creatable", why: expect.stringContaining("autoCreateDestinations") },
    ]);
  });

  test("that is empty does nothing", async () => {
    const { ports, handed, events } = dispatching([]);
    expect([await intake(ports, ingress, [], 0, always), handed, events]).toEqual([[], [], []]);
  });
});

describe("a record", () => {
  test("that can't be decoded and isn't taken by the dead letters comes again: nothing is lost", async () => {
    const { ports } = dispatching([], () => silent);
    const [outcome] = await intake(ports, ingress, [aRecord()], 0, always);
    expect(outcome).toMatchObject({ ends: { is: "again" }, steps: [{ verdict: "given-back", reason: "undecodable" }] });
  });

  test("to a composite is done only when each of its parts is", async () => {
    const { ports } = dispatching([aView("queue://a", [localConsumers]), aView("queue://b", [localConsumers])], ({ group }) =>
      group === "queue://b" ? silent : accepted,
    );
    const [outcome] = await intake(ports, ingress, [fromProducer("m", "queue://a,b")], 0, always);
    expect(outcome?.ends.is).toBe("again");
    expect(outcome?.steps.map(({ verdict }) => verdict).toSorted()).toEqual(["given-back", "handed-over"]);
  });

  test.for(["queue://,", "queue:// , ,", "queue://,topic://"])(
    "to a composite of nothing (%s) is given up with its reason, not silently",
    async (nothing) => {
      const { ports } = dispatching([]);
      const [outcome] = await intake(ports, ingress, [fromProducer("m", nothing)], 0, always);
      expect(outcome?.steps).toMatchObject([
        { verdict: "dead-lettered", reason: "undecodable", why: expect.stringContaining("names no destination") },
      ]);
    },
  );

  test("that is a link's probe is passed on to control", async () => {
    const { ports, events } = dispatching([]);
    const link = linkId(brokerId("b"), "to-a");
    const hello = { link, from: brokerId("b"), to: brokerId("a"), digest: "d", advisoryFilter: [], keys: [], counter: 1 };
    const [outcome] = await intake(ports, { door: "inbound", link }, [{ ...aRecord(), ...encodeProbe(hello) }], 0, always);
    expect([outcome?.ends.is, events]).toEqual(["done", [{ to: "a", event: { event: "hello", hello } }]]);
  });

  test("by a connector that the configuration lost is given up with its reason, not for ever given back", async () => {
    const { ports } = dispatching([]);
    const [outcome] = await intake(ports, { door: "inbound", link: linkId(brokerId("b"), "gone") }, [aRecord()], 0, always);
    expect(outcome).toMatchObject({ ends: { is: "done" }, steps: [{ verdict: "dead-lettered", why: expect.stringContaining("b:gone") }] });
  });
});
