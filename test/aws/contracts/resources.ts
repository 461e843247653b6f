import { describe, expect, test } from "vitest";
import { resourcePlace } from "../../../aws/resources.ts";
import type { Resource } from "../../../core/ports.ts";
import type { OpenWorld } from "../../support/worlds/world.ts";

const queue = (name: string): Resource => ({ make: "destination", destination: { kind: "queue", name } });
const topic = (name: string): Resource => ({ make: "destination", destination: { kind: "topic", name } });
const ownQueue = (name: string): Resource => ({ make: "own-queue", queue: name });

export const resourcesContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of resources`, () => {
    test.for([
      { thing: "a queue", resource: queue("orders.new") },
      { thing: "a topic", resource: topic("prices") },
      { thing: "a client's own queue", resource: ownQueue("c1/1") },
    ])("$thing is made, made again without harm, removed, and removed again without harm", async ({ resource }) => {
      const { us, exists } = await open();
      const place = resourcePlace(us.where, resource);
      expect(await exists(place)).toBe(false);
      await us.resources.make(resource);
      await us.resources.make(resource);
      expect(await exists(place)).toBe(true);
      await us.resources.remove(resource);
      await us.resources.remove(resource);
      expect(await exists(place)).toBe(false);
    });

    test("what is there already stays, with what it holds", async () => {
      const { us, make, drain } = await open();
      const target = { to: "queue", destination: { kind: "queue", name: "orders" } } as const;
      const place = us.where.queueOf(target);
      await make(place);
      await us.targets.handOver([{ target, wire: { body: "x", attributes: {} } }]);
      await us.resources.make(queue("orders"));
      expect(new Set((await drain(place)).map(({ body }) => body))).toEqual(new Set(["x"]));
    });

    test("a queue and a topic of one name are two things", async () => {
      const { us, exists } = await open();
      await us.resources.make(queue("orders"));
      expect(await exists(resourcePlace(us.where, topic("orders")))).toBe(false);
    });

    test("C27: names that a careless encoding confuses, or that are too long, are queues of their own", async () => {
      const { us, drain } = await open();
      const long = "x".repeat(120);
      const names = ["A.B", "A_B", "A-B", "a.b", `${long}1`, `${long}2`, "größe $1/2", "A_xB"];
      await Promise.all(names.map((each) => us.resources.make(queue(each))));
      const targets = names.map((each) => ({ to: "queue", destination: { kind: "queue", name: each } }) as const);
      await us.targets.handOver(targets.map((target) => ({ target, wire: { body: target.destination.name, attributes: {} } })));
      const held = await Promise.all(targets.map((target) => drain(us.where.queueOf(target))));
      expect(held.map((records) => new Set(records.map(({ body }) => body)))).toEqual(names.map((each) => new Set([each])));
    });
  });
