import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { dynamoIn, oneAttempt } from "../../aws/clients.ts";
import { dynamoPeerDemand } from "../../aws/peer-demand.ts";
import { awsSetup } from "../../aws/setup.ts";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import { sha256 } from "../support/hash.ts";
import { memoryBrain, peerDemandOf } from "../support/memory/brain.ts";
import { stubbed } from "../support/stub.ts";
import { useEmulators } from "../support/worlds/emulator-world.ts";
import { brainOn, emulatedDynamo, makeBrainTable } from "../support/worlds/tables.ts";
import { eu, networkSeenFrom, us } from "../support/worlds/world.ts";
import { type OpenPeerDemand, peerDemandContract } from "./contracts/peer-demand.ts";

const emulators = useEmulators();
let opened = 0;

const openTables: OpenPeerDemand = async () => {
  const where = whereaboutsOf(networkSeenFrom(us, `n${++opened}`), sha256);
  const table = where.brokerOf(eu)?.brainTable ?? "";
  const dynamo = emulatedDynamo(emulators());
  await makeBrainTable(dynamo, table);
  return {
    published: brainOn(dynamo, table, () => 1),
    peers: dynamoPeerDemand(
      async () => where,
      () => dynamo,
    ),
  };
};

peerDemandContract("memory", async () => {
  const published = memoryBrain();
  return { published, peers: peerDemandOf(new Map([[eu, published]])) };
});
peerDemandContract("DynamoDB", openTables);

describe("peer demand in DynamoDB", () => {
  const region = "eu-west-1";

  test("a table of another account is addressed by its ARN, one of ours by its name", async () => {
    const asked: unknown[] = [];
    const dynamo = stubbed(new DynamoDBClient({ region }), (input: { readonly TableName: string }) => asked.push(input.TableName) && {});
    const network = networkSeenFrom(us, "net");
    const abroad = network.brokers.map((place) => (place.id === eu ? { ...place, account: "111111111111" } : place));
    for (const brokers of [network.brokers, abroad]) {
      await dynamoPeerDemand(
        async () => whereaboutsOf({ ...network, brokers }, sha256),
        () => dynamo,
      ).root(eu);
    }
    expect(asked).toEqual(["spanmq-net-eu-sys-brain", "arn:aws:dynamodb:eu-west-1:111111111111:table/spanmq-net-eu-sys-brain"]);
  });

  test("a table too busy for one of the keys throws, and doesn't look empty", async () => {
    const busy = stubbed(new DynamoDBClient({ region }), () => ({ Responses: {}, UnprocessedKeys: { table: { Keys: [] } } }));
    const peers = dynamoPeerDemand(
      async () => whereaboutsOf(networkSeenFrom(us, "net"), sha256),
      () => busy,
    );
    await expect(peers.item(eu, "0a", "queue://a")).rejects.toThrow("too busy");
  });

  test("a peer that can't be reached throws", async () => {
    const setup = awsSetup({
      AWS_REGION: region,
      AWS_ENDPOINT_URL: "http://127.0.0.1:1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    });
    const peers = dynamoPeerDemand(async () => whereaboutsOf(networkSeenFrom(us, "net"), sha256), dynamoIn(setup, oneAttempt));
    await expect(peers.root(eu)).rejects.toThrow("nothing answers at http://127.0.0.1:1");
  });
});
