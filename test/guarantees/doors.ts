import type { SimulatedNetwork } from "../support/simulator/network.ts";
import type { Strikes } from "./strikes.ts";

export const body = "m";

/** The first delete of the message at its door doesn't hold. */
export const deleteFails = (net: SimulatedNetwork, door: string, absence: number): (() => boolean) => {
  const { queues } = net.cloud;
  const { remove, receive } = queues;
  const receipts = new Set<string>();
  let failed = false;
  Object.assign(queues, {
    receive: (...asked: Parameters<typeof receive>) => {
      const copies = receive(...asked);
      for (const copy of copies ?? []) if (asked[0] === door && isOurs(copy)) receipts.add(copy.receipt);
      return copies;
    },
    remove: (arn: string, receipt: string) => {
      if (failed || arn !== door || !receipts.has(receipt)) return remove(arn, receipt);
      failed = true;
      if (absence > 0) queues.changeVisibility(arn, receipt, absence / 1_000);
    },
  });
  return () => failed;
};

/** What is given back to its door is struck as well: then it comes when its visibility ends. */
export const returning = (net: SimulatedNetwork, door: string, strike: Strikes): void => {
  const { queues } = net.cloud;
  const { changeVisibility } = queues;
  Object.assign(queues, {
    changeVisibility: (...changed: Parameters<typeof changeVisibility>) => {
      if (changed[0] !== door || strike.falls("return") !== "fails") changeVisibility(...changed);
    },
  });
};

/** Once the message was taken from the door, nobody takes anything there for so long. */
export const shut = (net: SimulatedNetwork, door: string, ms: number): void => {
  const { queues } = net.cloud;
  const { receive } = queues;
  let until: number | undefined;
  Object.assign(queues, {
    receive: (...asked: Parameters<typeof receive>) => {
      if (asked[0] !== door) return receive(...asked);
      if (until !== undefined && net.now() < until) return [];
      const copies = receive(...asked);
      if (copies?.some(isOurs)) until ??= net.now() + ms;
      return copies;
    },
  });
};

/** What is sent to the door is there twice, once. */
export const delivering = (net: SimulatedNetwork, door: string): (() => boolean) => {
  const { queues } = net.cloud;
  const { send } = queues;
  let doubled = false;
  Object.assign(queues, {
    send: (...sent: Parameters<typeof send>) => {
      if (!doubled && sent[0] === door && isOurs(sent[1])) {
        doubled = true;
        send(...sent);
      }
      return send(...sent);
    },
  });
  return () => doubled;
};

export const isOurs = ({ body: text }: { readonly body: string }): boolean => text === body || text.includes(`"Message":"${body}"`);
