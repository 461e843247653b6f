import { describe, expect, test } from "vitest";
import { queueAt } from "../../../aws/whereabouts.ts";
import type { ControlEvent } from "../../../core/broker/events.ts";
import { brokerId } from "../../../core/ids.ts";
import { eu, type OpenWorld, us } from "../../support/worlds/world.ts";

const judge = (name: string): ControlEvent => ({ event: "judge", destination: `queue://${name}` });

export const eventsContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of events`, () => {
    /** Our control queue exists; the peer's only if it was asked for. */
    const furnished = async ({ peer = true } = {}) => {
      const world = await open();
      const control = (owner: typeof us) => {
        const at = world.us.where.brokerOf(owner);
        if (!at) throw new Error(`the world has no broker ${owner}`);
        return queueAt(at, at.controlQueue);
      };
      const [own, peers] = [control(us), control(eu)];
      await world.make(own);
      if (peer) await world.make(peers);
      const told = async (place: typeof own) => (await world.drain(place)).map(({ body }) => JSON.parse(body));
      return { ...world, own, peers, told };
    };

    test("each event reaches the control queue it is for", async () => {
      const { us: broker, own, peers, told } = await furnished();
      const events = [
        { to: us, event: judge("a") },
        { to: eu, event: judge("b") },
        { to: us, event: judge("größe\u0001") },
      ];
      expect(await broker.events.send(events)).toEqual({ dropped: 0 });
      expect(await told(own)).toEqual([judge("a"), judge("größe\u0001")]);
      expect(await told(peers)).toEqual([judge("b")]);
    });

    test("more events than one call takes all arrive", async () => {
      const { us: broker, own, told } = await furnished();
      const events = Array.from({ length: 23 }, (_, i) => ({ to: us, event: judge(`${i}`) }));
      await broker.events.send(events);
      const names = (await told(own)).map(({ destination }) => destination).sort();
      expect(names).toEqual(events.map((_, i) => `queue://${i}`).sort());
    });

    test("an event that is due later isn't visible yet", async () => {
      const { us: broker, own, told } = await furnished();
      await broker.events.send([
        { to: us, event: judge("later"), delaySeconds: 900 },
        { to: us, event: judge("now"), delaySeconds: 0 },
      ]);
      expect(await told(own)).toEqual([judge("now")]);
    });

    test("what a peer doesn't take is dropped and counted, what is ours still arrives", async () => {
      const { us: broker, own, told } = await furnished({ peer: false });
      const events = [
        { to: eu, event: judge("a") },
        { to: us, event: judge("b") },
        { to: brokerId("unknown"), event: judge("c") },
      ];
      expect(await broker.events.send(events)).toEqual({ dropped: 2 });
      expect(await told(own)).toEqual([judge("b")]);
    });

    test("an event to ourselves that isn't taken throws, and no peer is told", async () => {
      const { us: broker, make, drain } = await open();
      const at = broker.where.brokerOf(eu);
      if (!at) throw new Error("the world has no broker eu");
      const peers = queueAt(at, at.controlQueue);
      await make(peers);
      const events = [eu, us].map((to) => ({ to, event: judge("a") }));
      await expect(broker.events.send(events)).rejects.toThrow(broker.where.own.controlQueue);
      expect(await drain(peers)).toEqual([]);
    });

    test("no events are no calls", async () => {
      const { us: broker } = await open();
      expect(await broker.events.send([])).toEqual({ dropped: 0 });
    });
  });
