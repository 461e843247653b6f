import { isFifoName } from "../../../core/destination/fifo.ts";
import { nativeSubscriber } from "../../support/simulator/native.ts";
import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import type { Ledger } from "../ledger.ts";

/** Subscribers by SNS's own means, who tell nobody: one that stays, and is owed what is sent since it was found, and some that come and go. */
export const nativesOf = (net: SimulatedNetwork, book: Pick<Ledger, "received" | "lives">) => {
  const subscribe = (at: string, topic: string) => {
    const name = `native${++count}`;
    return { name, topic, ...nativeSubscriber(net, at, topic, isFifoName(topic) ? `${name}.fifo` : name) };
  };
  type Native = ReturnType<typeof subscribe>;
  let count = 0;
  const staying: Native[] = [];
  const passing: Native[] = [];
  return {
    stay: (at: string, topic: string): void => {
      const native = subscribe(at, topic);
      staying.push(native);
      book.lives(native.name, at);
    },
    passBy: (at: string, topic: string): void => void passing.push(subscribe(at, topic)),
    here: () => passing.map(({ leave }) => ({ close: async () => leave() })),
    of: (topic: string): readonly string[] => staying.filter((one) => one.topic === topic).map(({ name }) => name),
    areTheirs: (arn: string): boolean => /:native\d+(\.fifo)?$/.test(arn),
    note: (): void => {
      for (const { name, bodies } of staying) for (const body of bodies()) book.received(name, body);
    },
  };
};
