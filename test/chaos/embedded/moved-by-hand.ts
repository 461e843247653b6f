import { bodiesIn } from "../cells.ts";
import { isBatch } from "./sqs-by-hand.ts";

/** What SQS gives a new id doubles if it was handed over by its old one, before or after. */
export interface MovedByHand {
  /** Some target accepted these, or may have, from the invocation with this event. */
  handedOver(event: unknown, bodies: readonly string[]): void;
  /** `id`: the old one. */
  moved(id: string, bodies: readonly string[]): void;
}

/** `opened`: these may be there twice, once for each time that they were moved. */
export const movedByHand = (opened: (bodies: readonly string[]) => void): MovedByHand => {
  const reached = new Set<string>();
  const movedUnreached = new Map<string, readonly string[]>();
  return {
    handedOver: (event, bodies) => {
      const records = isBatch(event) ? event.Records : [];
      for (const { messageId } of records.filter(({ body }) => bodiesIn(body).some((one) => bodies.includes(one)))) {
        reached.add(messageId);
        opened(movedUnreached.get(messageId) ?? []);
        movedUnreached.delete(messageId);
      }
    },
    moved: (id, bodies) => (reached.has(id) ? opened(bodies) : void movedUnreached.set(id, bodies)),
  };
};
