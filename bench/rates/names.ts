import { type Destination, destinationOf } from "../../core/destination/destination.ts";
import { indexFilters } from "../../core/destination/filter-index.ts";
import type { Repeated } from "./measure-rates.ts";

/** Names, `*` at the end and in the middle, and `>`: a quarter each. */
const patterns = Array.from({ length: 10_000 }, (_, index) => {
  const shop = index >> 2;
  const four = [`shop.${shop}.orders.new`, `shop.${shop}.orders.*`, `shop.${shop}.>`, `shop.*.returns${shop}.>`];
  return destinationOf(`queue://${four[index % 4]}`);
});

/** Every second one is a filter's own. */
const names = Array.from({ length: 100 }, (_, index) => destinationOf(`queue://shop.${index * 23}.orders.${["new", "paid"][index % 2]}`));
const foundOfTwo = 3 + 2;

const filtersFor = indexFilters(patterns.map((pattern) => [pattern, pattern]));

export const lookUps: Repeated = {
  what: "look-ups of a name among 10,000 patterns",
  run: (times) => {
    let found = 0;
    for (let i = 0; i < times; i += 1) found += filtersFor(names[i % names.length] as Destination).length;
    if (found !== (times / 2) * foundOfTwo) throw new Error(`${found} patterns were found for ${times} names: it should be five for two`);
  },
};
