import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import { type Cell, isOrdered, isTopic } from "../cells.ts";

/** How a cell's messages are sent, and read: from queues, or a topic. */
export interface Way {
  readonly queues: readonly string[];
  readonly topic?: string;
  send(net: SimulatedNetwork, at: string, bodies: readonly string[]): void;
}

/** A producer's messages of one group are in order, not those of two. */
export const groupOf = (at: string, body: string): string => `${at}${Number(body.slice(body.indexOf("/") + 1)) % 3}`;

/** The name of its destination, or of what these have in common. */
export const nameOf = (cell: Cell): string => (isOrdered(cell) ? `${cell}.fifo` : cell);

export const wayOf = (cell: Cell): Way => {
  const [queue, topic] = [`queue://${nameOf(cell)}`, `topic://${nameOf(cell)}`];
  const parts = [`${queue}.x`, `${queue}.y`];
  const orderAt = (at: string) => (body: string) => ({ group: groupOf(at, body), deduplicationId: body });
  if (isOrdered(cell) && isTopic(cell))
    return { queues: [], topic, send: (net, at, bodies) => net.publishInOrder(at, topic, bodies, orderAt(at)) };
  if (cell.startsWith("fifo-direct."))
    return { queues: [queue], send: (net, at, bodies) => net.sendDirectInOrder(at, queue, bodies, orderAt(at)) };
  if (isOrdered(cell)) return { queues: [queue], send: (net, at, bodies) => net.sendInOrder(at, queue, bodies, orderAt(at)) };
  if (isTopic(cell)) return { queues: [], topic, send: (net, at, bodies) => net.publish(at, topic, bodies) };
  if (cell.startsWith("direct.")) return { queues: [queue], send: (net, at, bodies) => net.sendDirect(at, queue, bodies) };
  if (cell.startsWith("composite.")) return { queues: parts, send: (net, at, bodies) => net.send(at, parts.join(), bodies) };
  return { queues: [queue], send: (net, at, bodies) => net.send(at, queue, bodies) };
};
