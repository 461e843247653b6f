import type { Destination } from "../core/destination/destination.ts";
import type { DurableKey } from "../core/destination/durable-queue.ts";
import type { Events } from "../core/ports.ts";
import type { ConsumerSpec } from "../core/presence/presence.ts";
import type { Consumer, Ground } from "./connection.ts";
import { consumerSpec, type Handler, startConsumer } from "./consumer.ts";
import { refusedOf, untilTaken } from "./durable.ts";
import { type ConsumeOptions, SpanMqError, type SubscribeOptions } from "./options.ts";

const renewal = 60_000;

/** A connection's consumers. Its broker is told of all of them on change, and each minute, which keeps their lease. */
export const consumersOn = (ground: Ground, events: Events) => {
  const { id, slice, onProblem } = ground;
  const consumers = new Map<string, { readonly spec: ConsumerSpec; stop(): Promise<void> }>();
  let counter = 0;
  let made = 0;
  let closed = false;

  /** Answers the counter of what was said. */
  const announce = async (): Promise<number> => {
    counter += 1;
    const state = { connection: id, counter, consumers: [...consumers.values()].map(({ spec }) => spec), closed };
    await events.send([{ to: slice.broker, event: { event: "connection", state } }]);
    return state.counter;
  };

  /** After a long silence another connection may have taken a durable subscription of ours. */
  const dropRefused = async (): Promise<void> => {
    if (![...consumers.values()].some(({ spec }) => spec.durable)) return;
    for (const [consumer, why] of await refusedOf(ground)) {
      const lost = consumers.get(consumer);
      if (lost && consumers.delete(consumer)) onProblem(new SpanMqError(why));
      await lost?.stop();
    }
  };

  const renew = setInterval(() => {
    if (consumers.size > 0)
      Promise.all([announce(), dropRefused()]).catch((cause: unknown) =>
        onProblem(new Error("the lease couldn't be renewed; the next renewal is in a minute", { cause })),
      );
  }, renewal);
  renew.unref();

  return {
    add: async (
      destination: Destination,
      handler: Handler,
      options: ConsumeOptions & SubscribeOptions,
      durable?: DurableKey,
    ): Promise<Consumer> => {
      made += 1;
      const spec = consumerSpec(`c${made}`, destination, { ...options, ...(durable && { durable }) });
      // A durable subscription is read by whom the broker gave it to.
      let running = durable ? undefined : startConsumer(ground, spec, handler);
      const stop = async () => running?.stop();
      consumers.set(spec.id, { spec, stop });
      const leave = async (): Promise<boolean> => {
        await stop();
        return consumers.delete(spec.id);
      };
      try {
        if (!durable) await announce();
        else await untilTaken(ground, spec, announce);
        if (durable && consumers.has(spec.id)) running = startConsumer(ground, spec, handler);
      } catch (cause) {
        await leave();
        throw cause;
      }
      return {
        close: async () => {
          if (await leave()) await announce();
        },
        passedOver: () => running?.passedOver() ?? 0,
      };
    },
    isEmpty: (): boolean => consumers.size === 0,
    /** Of what was said last. */
    counter: (): number => counter,
    end: async (): Promise<void> => {
      closed = true;
      clearInterval(renew);
      await Promise.all([...consumers.values()].map(({ stop }) => stop()));
      if (consumers.size > 0) await announce();
    },
  };
};
