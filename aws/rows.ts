import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { BrainRecords, RecordKind } from "../core/broker/records.ts";
import type { Stored } from "../core/ports.ts";

/** One row of the brain table; docs/table.md describes the layout. */
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
