/** SQS and SNS take at most this much in one call, and in one message. */
export const maxBatchEntries = 10;
export const maxBytes = 1_048_576;

/** Cuts into calls: at most ten entries and 1 MiB in sum each, in order. An item over 1 MiB gets a call of its own. */
export const inBatches = <T>(items: readonly T[], sizeOf: (item: T) => number): readonly (readonly T[])[] => {
  const batches: T[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const current = batches.at(-1);
    if (current && current.length < maxBatchEntries && size <= room) {
      current.push(item);
      room -= size;
    } else {
      batches.push([item]);
      room = maxBytes - size;
    }
  }
  return batches;
};
