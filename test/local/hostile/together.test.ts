import { describe, expect, test } from "vitest";
import { catalogue, faultNames, refusals } from "../../support/hostile/faults.ts";
import { seed } from "../../support/hostile/seed.ts";
import { useHostileNetwork } from "./a-hostile-network.ts";
import { openExchange } from "./exchange.ts";
import { useTable } from "./table.ts";

const network = useHostileNetwork();
const note = useTable();

describe(`between two regions where everything goes wrong at once (seed ${seed})`, () => {
  test("nothing is lost, and nobody asks for what AWS refuses", async () => {
    // A third of what each would do alone: else it is the SDK's repetitions that are tested.
    network.layer.ask(Object.fromEntries(faultNames.map((name) => [name, catalogue[name].rate === 1 ? 1 : catalogue[name].rate / 3])));
    const exchange = await openExchange(network, "together");
    const book = await exchange.losesNothing();
    note(network.layer, book);
    // Whether anybody reads a depth in that time is the tick's affair.
    expect(network.layer.unfired().filter((fault) => fault !== "lagging-depths")).toEqual(refusals);
  });
});
