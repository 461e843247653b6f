import { describe, expect, expectTypeOf, test } from "vitest";
import { dynamoStore, memoryStore, type Once, type OnceStore, once, type ReceivedMessage, SpanMqError } from "../../client/index.ts";
import { emulatorEnvironment, useEmulators } from "../support/worlds/emulator-world.ts";
import { tableAudits } from "../support/worlds/tables.ts";

const handlerTimeout = 60_000;
const aged = handlerTimeout + 5_000;
const message = { id: "m1", destination: "queue://orders.new" };
const ran = (value: unknown) => ({ ran: true, value, settled: true });
const duplicate = { skipped: "duplicate" };

/** Guards a handler with a clock that stands still until it is set. */
const guarding = (store: OnceStore, { scope }: { readonly scope?: string } = {}) => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const handled: string[] = [];
  const guarded = <T>(handler: () => Promise<T> | T) =>
    once(
      ({ id }: typeof message) => {
        handled.push(id);
        return handler();
      },
      { store, handlerTimeout, now: () => clock.now, ...(scope !== undefined && { scope }) },
    );
  return { clock, handled, guarded };
};

const onceContract = (name: string, open: () => Promise<OnceStore>) =>
  describe(`once with ${name}`, () => {
    test("runs a handler for a message, and not again for a copy of it", async () => {
      const { guarded, handled } = guarding(await open());
      const handle = guarded(() => "booked");
      expect([await handle(message), await handle(message), await handle({ ...message, id: "m2" })]).toEqual([
        ran("booked"),
        duplicate,
        ran("booked"),
      ]);
      expect(handled).toEqual(["m1", "m2"]);
    });

    test("J15 of two copies that come at once one runs, the other is to look again when no handler can be at it", async () => {
      const { guarded, handled } = guarding(await open());
      const going = Promise.withResolvers<string>();
      const handle = guarded(() => going.promise);
      const both = [handle(message), handle(message)];
      const early = await Promise.race(both);
      expect(early).toEqual({ later: aged });
      going.resolve("booked");
      expect(await Promise.all(both)).toEqual(expect.arrayContaining([ran("booked"), { later: aged }]));
      expect(handled).toEqual(["m1"]);
    });

    test("lets a redelivery run at once where the handler threw, and throws what it threw", async () => {
      const { guarded } = guarding(await open());
      const failure = new Error("the card was declined");
      const failing = guarded(() => Promise.reject(failure));
      await expect(failing(message)).rejects.toBe(failure);
      expect(await guarded(() => "booked")(message)).toEqual(ran("booked"));
    });

    test("lets nobody run a message whose handler died until none of that time can be running, then runs it", async () => {
      const { guarded, clock, handled } = guarding(await open());
      const died = Promise.withResolvers<void>();
      void guarded(() => new Promise<never>(() => died.resolve()))(message);
      await died.promise;
      const handle = guarded(() => "booked");
      clock.now += 20_000;
      expect(await handle(message)).toEqual({ later: aged - 20_000 });
      clock.now += aged - 20_000;
      expect(await handle(message)).toEqual(ran("booked"));
      expect([await handle(message), handled.length]).toEqual([duplicate, 2]);
    });

    test("lets the message wait again where one handler died and the next one threw", async () => {
      const { guarded, clock } = guarding(await open());
      const died = Promise.withResolvers<void>();
      void guarded(() => new Promise<never>(() => died.resolve()))(message);
      await died.promise;
      clock.now += aged;
      await expect(guarded(() => Promise.reject(new Error("declined")))(message)).rejects.toThrow("declined");
      const handle = guarded(() => "booked");
      expect(await handle(message)).toEqual({ later: aged });
      clock.now += aged;
      expect(await handle(message)).toEqual(ran("booked"));
    });

    test("tells a handler that took longer than it may that another may have run", async () => {
      const { guarded, clock } = guarding(await open());
      const started = Promise.withResolvers<void>();
      const going = Promise.withResolvers<string>();
      const slow = guarded(() => {
        started.resolve();
        return going.promise;
      })(message);
      await started.promise;
      clock.now += aged;
      expect(await guarded(() => "by another")(message)).toEqual(ran("by another"));
      going.resolve("late");
      expect(await slow).toEqual({ ran: true, value: "late", settled: false });
    });

    test("runs a message once in each scope: subscribers of a topic don't take it from each other", async () => {
      const store = await open();
      const topic = { id: "m1", destination: "topic://prices" };
      const [billing, audit] = ["billing", "audit"].map((scope) => guarding(store, { scope }).guarded(() => scope));
      expect([await billing?.(topic), await audit?.(topic), await billing?.(topic)]).toEqual([ran("billing"), ran("audit"), duplicate]);
    });

    test("takes equal ids at two queues for two messages", async () => {
      const { guarded } = guarding(await open());
      const handle = guarded(() => "done");
      expect([await handle(message), await handle({ ...message, destination: "queue://orders.old" })]).toEqual([ran("done"), ran("done")]);
    });
  });

const emulators = useEmulators();
onceContract("memory", async () => memoryStore());
onceContract("DynamoDB", tableAudits<null>(emulators));

test("once without its table runs nothing, and names the table, its region and the remedy: the copy comes again", async () => {
  const { guarded, handled } = guarding(dynamoStore({ table: "nowhere", region: "eu-west-1", env: emulatorEnvironment(emulators()) }));
  const refusal = guarded(() => "booked")(message);
  await expect(refusal).rejects.toThrow(SpanMqError);
  await expect(refusal).rejects.toThrow(
    /^message m1 wasn't handled, it comes again: .*no table nowhere in eu-west-1: make it \(.*AuditTable/,
  );
  expect(handled).toEqual([]);
});

describe("once", () => {
  const failingStore = (broken: Partial<OnceStore>): OnceStore => ({ ...memoryStore(), ...broken });

  test("runs nothing where the store doesn't answer, and says so", async () => {
    const store = failingStore({ claim: async () => [{ answer: "unknown", why: "ThrottlingException: slow down" }] });
    const { guarded, handled } = guarding(store);
    await expect(guarded(() => "booked")(message)).rejects.toThrow(
      "message m1 wasn't handled, it comes again: the audit: ThrottlingException: slow down",
    );
    expect(handled).toEqual([]);
  });

  test("says that it ran where the store couldn't be told: the message is done all the same", async () => {
    const { guarded } = guarding(failingStore({ settle: async () => ["unsettled"] }));
    expect(await guarded(() => "booked")(message)).toEqual({ ran: true, value: "booked", settled: false });
  });

  test("refuses to guess who shares a topic's messages", async () => {
    const { guarded } = guarding(memoryStore());
    await expect(guarded(() => "x")({ id: "m1", destination: "topic://prices" })).rejects.toThrow(
      'message m1 is of topic://prices, whose subscribers get every message each: give once a scope, a name for this handler among them ("billing")',
    );
  });

  test.for([
    { rule: "no time", handlerTimeout: 0 },
    { rule: "no number", handlerTimeout: Number.NaN },
  ])("refuses a handlerTimeout of $rule", ({ handlerTimeout }) => {
    expect(() => once(() => {}, { store: memoryStore(), handlerTimeout })).toThrow("milliseconds that the handler may run");
  });

  test("answers with the handler's own type", () => {
    const handle = once(async ({ text }: ReceivedMessage) => text.length, { store: memoryStore(), handlerTimeout });
    expectTypeOf(handle).returns.resolves.toEqualTypeOf<Once<number>>();
  });
});
