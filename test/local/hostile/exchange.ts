import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "../../../client/index.ts";
import { type Ledger, ledger } from "../../support/ledger.ts";
import { type BrokerName, brokers, type HostileNetwork, other } from "./a-hostile-network.ts";
import { expectNoneLost } from "./none-lost.ts";

/** A queue each way with its consumer at the other end, and a topic with a consumer at both. */
export interface Exchange {
  /** Sends each way on all of them (or on the topic only), and judges. Answers what was sent and came. */
  losesNothing(on?: "all" | "topic"): Promise<Ledger>;
}

const each = 10;

/** Whoever isn't answered, or is refused, tries again, as any producer does. */
export const untilDone = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === 50) throw error;
      await pause(50);
    }
  }
};

export const openExchange = async (network: HostileNetwork, name: string): Promise<Exchange> => {
  const books: Ledger[] = [];
  const receive =
    (consumer: BrokerName) =>
    ({ text }: { readonly text: string }) =>
      books[Number(text.split(" ")[1])]?.received(consumer, text);
  const topic = `topic://prices.${name}`;
  const queueTo = (broker: BrokerName) => `queue://orders.${name}.to.${broker}`;
  const open = async (broker: BrokerName): Promise<Connection> => {
    const connection = await untilDone(() => network.connectTo(broker));
    await untilDone(() => connection.consume(queueTo(broker), receive(broker)));
    await untilDone(() => connection.subscribe(topic, receive(broker)));
    return connection;
  };
  const connections = { us: await open("us"), eu: await open("eu") };
  await Promise.all(brokers.map((broker) => untilDone(() => connections[broker].ready())));

  const sendFrom = async (broker: BrokerName, book: Ledger, message: string): Promise<void> => {
    book.sent(`queue ${message}`, [other[broker]]);
    await untilDone(() => connections[broker].send(queueTo(other[broker]), `queue ${message}`));
  };
  const publishFrom = async (broker: BrokerName, book: Ledger, message: string): Promise<void> => {
    book.sent(`topic ${message}`, brokers);
    await untilDone(() => connections[broker].publish(topic, `topic ${message}`));
  };
  return {
    losesNothing: async (on = "all") => {
      const book = ledger();
      const turn = books.push(book) - 1;
      const messages = brokers.flatMap((broker) =>
        Array.from({ length: each }, (_, i) => ({ broker, message: `${turn} ${name} ${broker} ${i}` })),
      );
      await Promise.all(messages.map(({ broker, message }) => publishFrom(broker, book, message)));
      if (on === "all") await Promise.all(messages.map(({ broker, message }) => sendFrom(broker, book, message)));
      await expectNoneLost(network, book);
      return book;
    },
  };
};
