import { expect, vi } from "vitest";
import type { Ledger, Owed } from "../../support/ledger.ts";
import { type HostileNetwork, other } from "./a-hostile-network.ts";
import { standing } from "./standing.ts";

/** False if it doesn't in so many seconds. */
const comesAbout = (holds: () => Promise<boolean>, seconds: number): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: seconds * 1_000, interval: 100 }).catch(() => false);

/**
 * Every message reaches its consumers, or stands where its link keeps what it couldn't deliver. If that takes long the layer is calmed;
 * what hasn't come then is lost or stuck, and the failure says where it stands. Answers what was kept.
 */
export const expectNoneLost = async (network: HostileNetwork, book: Ledger): Promise<readonly Owed[]> => {
  const undelivered = new Set<string>();
  const keyOf = ({ consumer, body }: Owed) => `${consumer} ${body}`;
  const isAccountedFor = async (): Promise<boolean> => {
    for (const { broker, body } of await standing(network, (queue) => queue.includes("-sys-undelivered-")))
      undelivered.add(keyOf({ consumer: other[broker], body }));
    return book.missing().every((owed) => undelivered.has(keyOf(owed)));
  };
  if (!(await comesAbout(isAccountedFor, 25))) {
    network.layer.calm();
    await comesAbout(isAccountedFor, 100);
  }
  const late = book.missing().filter((owed) => !undelivered.has(keyOf(owed)));
  const found = late.length === 0 ? [] : await standing(network, () => true);
  expect(late.map((owed) => ({ ...owed, standsIn: found.filter(({ body }) => body === owed.body).map(({ queue }) => queue) }))).toEqual([]);
  return book.missing();
};
