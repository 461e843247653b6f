import { type Call, entriesOf, type Fate, isOutput, outputOf } from "../../support/hostile/call.ts";
import { bodiesIn } from "../cells.ts";

/** Bodies that the queue or topic of this call took; a broken connection tells nothing: it may have. */
export const acceptedBy = (call: Call, fate: Fate): readonly string[] => {
  if (!/^(SendMessage|Publish)/.test(call.action) || fate === "hangs") return [];
  if (fate === "lost") return bodiesIn(entriesOf(call));
  if (!isOutput(fate)) return [];
  const refused = (outputOf(call, fate).Failed ?? []).map(({ Id }) => Id);
  return bodiesIn(entriesOf(call).filter(({ Id }) => !refused.includes(Id)));
};

interface Put {
  readonly PutRequest?: { readonly Item?: { readonly claim?: { readonly S?: string }; readonly outcome?: { readonly S?: string } } };
}
const doneIn = (rows: Readonly<Record<string, unknown>> = {}): readonly string[] =>
  (Object.values(rows).flat() as readonly Put[]).flatMap(({ PutRequest: { Item } = {} }) =>
    Item?.outcome?.S === "done" ? (Item.claim?.S ?? []) : [],
  );

/** Keys of claims that this call settled, as `dynamoAudit` does; a broken connection tells nothing: it may have. */
export const settledBy = (call: Call, fate: Fate): readonly string[] => {
  if (call.action !== "BatchWriteItem" || !(fate === "lost" || isOutput(fate))) return [];
  const unwritten = fate === "lost" ? [] : doneIn(outputOf(call, fate).UnprocessedItems);
  return doneIn(call.input.RequestItems).filter((key) => !unwritten.includes(key));
};
