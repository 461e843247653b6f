import type { Contents } from "../../ports.ts";
import type { Queues } from "./stack-queues.ts";

/** A queue that still holds messages. */
export interface Left {
  readonly queue: string;
  readonly messages: number;
}

export interface CountPorts {
  readonly contents: Contents;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds by which a queue's figures may lag. */
  readonly depthLag: number;
}

/** How often what feeds dispatch is read until it is empty, and the least time between two readings. */
const rounds = 5;
const shortestPause = 1_000;

/**
 * What is left, to be asked a whole lag after anything was last sent. Queues that dispatch empties are read before those that it fills,
 * or a message on its way from one to the other would be in neither.
 */
export const countLeft = async (ports: CountPorts, { fed, resting }: Queues): Promise<readonly Left[]> => {
  let waiting = await countEach(ports, fed);
  for (let round = 1; waiting.length > 0 && round < rounds; round += 1) {
    await ports.sleep(Math.max(ports.depthLag, shortestPause));
    waiting = await countEach(ports, fed);
  }
  return [...waiting, ...(await countEach(ports, resting))];
};

/** Each once, by figures that may lag. */
export const countEach = async ({ contents }: CountPorts, queues: readonly string[]): Promise<readonly Left[]> => {
  const left: Left[] = [];
  for (const queue of queues) left.push({ queue, messages: await contents.messagesIn(queue) });
  return left.filter(({ messages }) => messages > 0);
};
