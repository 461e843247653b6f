import { type AttributeValue, ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { BrainRecords, RecordKind } from "../core/broker/records.ts";
import type { Stored } from "../core/ports.ts";

/** One row of the brain or the audit; docs/table.md describes their layouts. */
export type Row = Record<string, AttributeValue>;

export const keyOf = (kind: RecordKind | "counter", scope: string, id: string): Row => ({
  pk: { S: partitionOf(kind, scope) },
  sk: { S: id },
});
export const partitionOf = (kind: RecordKind | "counter", scope: string): string => `${kind}#${scope}`;

/** A record is one JSON text: the table judges revisions only, the core knows the rest. */
export const toStored = <K extends RecordKind>(row: Row): Stored<BrainRecords[K]> => ({
  id: row.sk?.S ?? "",
  value: JSON.parse(row.v?.S ?? "null"),
  revision: Number(row.rev?.N ?? 0),
});

export const numberIn = (row: Row | undefined, attribute: string): number => Number(row?.[attribute]?.N ?? 0);

/** `undefined` once a conditional write landed, else the row that stood in its way (absent: an empty one). */
export const rowInTheWay = async (write: () => Promise<unknown>, read: () => Promise<Row | undefined>): Promise<Row | undefined> => {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Not every emulator returns the old item: then one read.
    return error.Item ?? (await read()) ?? {};
  }
};
