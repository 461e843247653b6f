import { BatchGetItemCommand, type DynamoDBClient, GetItemCommand, paginateQuery } from "@aws-sdk/client-dynamodb";
import type { Addresses } from "../core/destination/addresses.ts";
import type { BrokerId } from "../core/ids.ts";
import type { PeerDemand } from "../core/ports.ts";
import { partitionQuery } from "./brain.ts";
import { keyOf, type Row, toStored } from "./rows.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** A table by its ARN where it belongs to another account: there a name would mean our own. */
const tableOf = (peer: Addresses, own: Addresses): string =>
  peer.place.account === own.place.account ? peer.brainTable : peer.tableArn(peer.brainTable);

/** Reads of the `root` and `demand` partitions of peers' brains, which is all that we may read there. `dynamoIn` makes one attempt of 3 s. */
export const dynamoPeerDemand = (whereabouts: () => Promise<Whereabouts>, dynamoIn: (region: string) => DynamoDBClient): PeerDemand => {
  const rootKey = keyOf("root", "", "root");

  const at = async (broker: BrokerId) => {
    const { own, brokerOf } = await whereabouts();
    const peer = brokerOf(broker);
    if (!peer) throw new Error(`no broker ${broker} in the configuration: its demand can't be read`);
    return { dynamo: dynamoIn(peer.place.region), table: tableOf(peer, own) };
  };

  return {
    root: async (broker) => {
      const { dynamo, table } = await at(broker);
      const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key: rootKey, ConsistentRead: true }));
      return Item && toStored<"root">(Item).value;
    },

    bucket: async (broker, bucket) => {
      const { dynamo, table } = await at(broker);
      const rows: Row[] = [];
      for await (const page of paginateQuery({ client: dynamo }, partitionQuery(table, "demand", bucket))) rows.push(...(page.Items ?? []));
      return rows.map((row) => toStored<"demand">(row).value);
    },

    /** One call for both: the record, and the identity of the table it stands in. */
    item: async (broker, bucket, destination) => {
      const { dynamo, table } = await at(broker);
      const Keys = [rootKey, keyOf("demand", bucket, destination)];
      const { Responses, UnprocessedKeys } = await dynamo.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      );
      if (Object.keys(UnprocessedKeys ?? {}).length > 0)
        throw new Error(`table ${table} was too busy to answer: the next hint or tick asks again`);
      const rows = Object.values(Responses ?? {}).flat();
      const root = rows.find((row) => row.pk?.S === rootKey.pk?.S);
      const record = rows.find((row) => row !== root);
      return root && { tableId: toStored<"root">(root).value.tableId, record: record && toStored<"demand">(record).value };
    },
  };
};
