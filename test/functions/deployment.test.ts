import { describe, expect, test } from "vitest";
import { makeKey, sha256 } from "../../aws/keys.ts";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import type { OutgoingEvent } from "../../core/ports.ts";
import { deploymentHandler } from "../../functions/deployment.ts";
import { sliceOf } from "../support/a-slice.ts";
import { memoryBrain } from "../support/memory/brain.ts";
import { memoryCloud } from "../support/memory/cloud.ts";
import { memoryPorts } from "../support/memory/ports.ts";
import { networkOf, pair } from "../support/simulator/topologies.ts";
import { aContext } from "./an-event.ts";

const slice = sliceOf(networkOf(pair), "a");

const handling = () => {
  const brain = memoryBrain();
  const sent: OutgoingEvent[] = [];
  const keys: ReturnType<typeof makeKey>[] = [];
  const key = {
    ensure: async () => {
      if (keys.length === 0) keys.push(makeKey());
      return (keys[0] as ReturnType<typeof makeKey>).publicKey;
    },
    remove: async () => void keys.pop(),
  };
  const events = {
    send: async (outgoing: readonly OutgoingEvent[]) => {
      sent.push(...outgoing);
      return { dropped: 0 };
    },
  };
  const cloud = memoryCloud(() => 42);
  const { made, contents } = memoryPorts(cloud, slice, sha256);
  const { own } = whereaboutsOf(slice, sha256);
  const lifted: string[] = [];
  const protection = { lift: async () => void lifted.push("brain") };
  const clock = () => 42;
  const sleep = async () => {};
  const handler = deploymentHandler({ own, brain, events, key, made, contents, protection, clock, sleep, depthLag: 0, longest: 60_000 });
  return { handler, brain, sent, keys, cloud, own, lifted };
};

const request = (RequestType: string, deployed: object = slice) => ({
  RequestType,
  ResourceProperties: { slice: JSON.stringify(deployed) },
});

describe("a deployment", () => {
  test("writes the configuration and the public key, tells control, and names its resource by the broker", async () => {
    const { handler, brain, sent, keys } = handling();
    expect(await handler(request("Create"), aContext())).toEqual({ PhysicalResourceId: "spanmq-test-a" });
    expect((await brain.read("broker", "", "broker"))?.value).toEqual({ slice, version: 42, keys: [keys[0]?.publicKey], peerKeys: {} });
    expect(sent).toEqual([{ to: "a", event: { event: "deployed", version: 42 } }]);
  });

  test("that is repeated or updated keeps the key and what peers have sent", async () => {
    const { handler, brain, keys } = handling();
    await handler(request("Create"), aContext());
    const stored = await brain.read("broker", "", "broker");
    if (!stored) throw new Error("not written");
    const peerKeys = { b: [makeKey().publicKey] };
    await brain.write("broker", "", "broker", { ...stored.value, peerKeys }, stored.revision);
    await handler({ ...request("Update"), PhysicalResourceId: "spanmq-test-a" }, aContext());
    expect((await brain.read("broker", "", "broker"))?.value).toMatchObject({ keys: [keys[0]?.publicKey], peerKeys });
  });

  test("isn't failed by a hello that writes meanwhile", async () => {
    const { handler, brain } = handling();
    await handler(request("Create"), aContext());
    const { read } = brain;
    let disturbed = false;
    brain.read = async (kind, scope, id) => {
      const stored = await read(kind, scope, id);
      if (!disturbed && stored && kind === "broker") {
        disturbed = true;
        await brain.write(kind, scope, id, stored.value, stored.revision);
      }
      return stored;
    };
    expect(await handler(request("Update"), aContext())).toEqual({ PhysicalResourceId: "spanmq-test-a" });
  });

  test("keeps the name CloudFormation knows its resource by: another one would be a replacement, and delete this", async () => {
    const named = { PhysicalResourceId: "named-by-an-older-version" };
    expect(await handling().handler({ ...request("Update"), ...named }, aContext())).toEqual(named);
    expect(await handling().handler({ ...request("Delete"), ...named }, aContext())).toEqual(named);
  });

  test("at its end removes what no stack owns: what control made, the key, and first the table's protection", async () => {
    const { handler, keys, cloud, own, lifted } = handling();
    await handler(request("Create"), aContext());
    cloud.queues.create(own.queueArn(own.queue("orders")));
    cloud.made.add(own.queueArn(own.queue("orders")));
    await handler(request("Delete"), aContext());
    expect([keys, lifted, cloud.queues.arns()]).toEqual([[], ["brain"], []]);
  });

  test("that ends while messages are left fails with a text that names them, and removes nothing", async () => {
    const { handler, keys, cloud, own, lifted } = handling();
    await handler(request("Create"), aContext());
    cloud.queues.create(own.queueArn(own.ingressQueue));
    cloud.queues.send(own.queueArn(own.ingressQueue), { body: "x", attributes: {} });
    await expect(handler(request("Delete"), aContext())).rejects.toThrow(
      /broker a still holds messages.*spanmq-test-a-sys-ingress \(1\).*destroy again/,
    );
    expect([keys.length, lifted]).toEqual([1, []]);
  });

  describe("that takes a connector and a queue away while messages are left in them", () => {
    const rich = sliceOf(networkOf("a <-> b, a <-> c", {}, { brokers: { a: { queues: ["orders"] } } }), "a");
    const refused = async () => {
      const all = handling();
      await all.handler(request("Create", rich), aContext());
      for (const queue of ["spanmq-test-a-q-orders", "spanmq-test-a-in-c-to_-a"]) {
        all.cloud.queues.create(all.own.queueArn(queue));
        all.cloud.queues.send(all.own.queueArn(queue), { body: "x", attributes: {} });
      }
      all.sent.splice(0);
      const stored = await all.brain.read("broker", "", "broker");
      const update = all.handler({ ...request("Update", slice), OldResourceProperties: { slice: JSON.stringify(rich) } }, aContext());
      await expect(update).rejects.toThrow(/in-c-to_-a \(1\), spanmq-test-a-q-orders \(1\).*two deployments/);
      return { ...all, stored };
    };

    test("changes nothing", async () => {
      const { brain, sent, stored } = await refused();
      expect([await brain.read("broker", "", "broker"), sent]).toEqual([stored, []]);
    });

    test("is rolled back without a question, though the queues it brought would go again", async () => {
      const { handler, brain, cloud, own } = await refused();
      cloud.queues.create(own.queueArn("spanmq-test-a-q-other"));
      const other = { ...slice, queues: ["other"] };
      const rollback = { ...request("Update", rich), OldResourceProperties: { slice: JSON.stringify(other) } };
      cloud.queues.send(own.queueArn("spanmq-test-a-q-other"), { body: "x", attributes: {} });
      await handler(rollback, aContext());
      expect((await brain.read("broker", "", "broker"))?.value.slice).toEqual(rich);
    });

    test("goes through once they are empty", async () => {
      const { handler, cloud, own, brain } = await refused();
      for (const queue of ["spanmq-test-a-q-orders", "spanmq-test-a-in-c-to_-a"])
        for (const { receipt } of cloud.queues.receive(own.queueArn(queue), 10, 0) ?? []) cloud.queues.remove(own.queueArn(queue), receipt);
      await handler(request("Update", slice), aContext());
      expect((await brain.read("broker", "", "broker"))?.value.slice).toEqual(slice);
    });
  });

  test("opens a broker that was closing", async () => {
    const { handler, brain } = handling();
    await handler(request("Create"), aContext());
    const stored = await brain.read("broker", "", "broker");
    if (!stored) throw new Error("not written");
    await brain.write("broker", "", "broker", { ...stored.value, closing: 1 }, stored.revision);
    await handler(request("Update"), aContext());
    expect((await brain.read("broker", "", "broker"))?.value).not.toHaveProperty("closing");
  });

  test("by a request of an older version, whose slice knows no policy, is one too", async () => {
    const { removalPolicy: _, ...older } = slice;
    const { handler } = handling();
    for (const type of ["Create", "Update", "Delete"])
      expect(await handler(request(type, older), aContext())).toEqual({ PhysicalResourceId: "spanmq-test-a" });
  });

  test.for([
    { rule: "without properties", broken: { ResourceProperties: undefined }, says: /deploy again[\s\S]*ResourceProperties/ },
    { rule: "of an unknown type", broken: { RequestType: "Read" }, says: /deploy again[\s\S]*RequestType/ },
    {
      rule: "with a slice that is no JSON",
      broken: { ResourceProperties: { slice: "a" } },
      says: /deploy again[\s\S]*no JSON[\s\S]*slice/,
    },
  ])("a request $rule changes nothing and says what is wrong", async ({ broken, says }) => {
    const { handler, brain, keys } = handling();
    await expect(handler({ ...request("Create"), ...broken }, aContext())).rejects.toThrow(says);
    expect([await brain.read("broker", "", "broker"), keys]).toEqual([undefined, []]);
  });
});
