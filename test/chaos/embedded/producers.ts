import { bodyOf, type Cell, embeddedCells } from "../cells.ts";
import type { Fates } from "../fates.ts";
import type { Ledger } from "../ledger.ts";
import type { StandingNetwork } from "./standing-network.ts";
import { wayOf } from "./ways.ts";

/** Messages of each cell. */
const each = 6;
type Draw = Fates["draw"];

/** Sends a history's messages, numbered from `first`, all at once: a batch has some of many cells. Those of a group go one after the other. */
export const sendAll = async (network: StandingNetwork, book: Ledger, first: number, draw: Draw): Promise<void> => {
  const sends = inAnyOrder(first, draw).map(({ cell, body }) => {
    const { from, readers, groupOf, send } = wayOf(cell);
    const at = from[Math.floor(draw("at") * from.length)] ?? "us";
    book.sent(body, readers, groupOf(at));
    return { group: groupOf(at) ?? body, send: () => send(network, at, body) };
  });
  const inTurn = async (group: typeof sends): Promise<void> => {
    for (const { send } of group) await send();
  };
  const groups = Map.groupBy(sends, ({ group }) => group);
  await Promise.all([...groups.values()].map(inTurn));
};

const inAnyOrder = (first: number, draw: Draw): readonly { readonly cell: Cell; readonly body: string }[] =>
  embeddedCells
    .flatMap((cell) => Array.from({ length: each }, (_, n) => ({ cell, body: bodyOf(cell, first + n), at: draw("order") })))
    .toSorted((a, b) => a.at - b.at);
