import { beforeAll, describe, expect, test } from "vitest";
import type { FaultName } from "../../support/hostile/faults.ts";
import { seed } from "../../support/hostile/seed.ts";
import { useHostileNetwork } from "./a-hostile-network.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import { useTable } from "./table.ts";

const network = useHostileNetwork();
const note = useTable();
let exchange: Exchange;
beforeAll(async () => {
  exchange = await openExchange(network, "standing");
});

describe(`between two regions whose deliveries and calls fail (seed ${seed})`, () => {
  test.for<{ fault: FaultName }>([
    { fault: "doubles" },
    { fault: "two-handlers" },
    { fault: "after-delete" },
    { fault: "reorder" },
    { fault: "partial-failures" },
    { fault: "lost-answers" },
    { fault: "throttling" },
    { fault: "hangs" },
  ])("nothing is lost under $fault", async ({ fault }) => {
    network.layer.ask([fault]);
    const book = await exchange.losesNothing();
    expect(network.layer.unfired()).toEqual([]);
    note(network.layer, book);
  });
});
