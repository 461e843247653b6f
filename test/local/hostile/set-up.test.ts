import { DeleteQueueCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { seed } from "../../support/hostile/seed.ts";
import { useHostileNetwork } from "./a-hostile-network.ts";
import { directSendsLoseNothing } from "./direct-sends.ts";
import { openExchange } from "./exchange.ts";
import { useTable } from "./table.ts";

const network = useHostileNetwork();
const note = useTable();

describe(`between two regions whose things take their time (seed ${seed})`, () => {
  test.for(["slow-subscriptions", "unknown-queues"] as const)("nothing is lost under %s", async (fault) => {
    network.layer.ask([fault]);
    const exchange = await openExchange(network, fault);
    const book = await exchange.losesNothing();
    expect(network.layer.unfired()).toEqual([]);
    note(network.layer, book);
  });

  test("nothing is lost under lagging-depths: what was sent straight to a queue is found later", async () => {
    network.layer.ask(["lagging-depths"]);
    const book = await directSendsLoseNothing(network, "lagging");
    expect(network.layer.unfired()).toEqual([]);
    note(network.layer, book);
  });

  test("what a topic can't deliver abroad, since the inbound is gone, waits in undelivered", async () => {
    const exchange = await openExchange(network, "gone");
    network.layer.ask(["gone-endpoints"]);
    const QueueUrl = "http://sqs/000000000000/spanmq-orders-eu-in-us-us_-eu";
    await network.direct("eu").sqs.send(new DeleteQueueCommand({ QueueUrl }));
    const book = await exchange.losesNothing("topic");
    expect(book.missing()).toHaveLength(10);
    expect(network.layer.unfired()).toEqual([]);
    note(network.layer, book);
  });
});
