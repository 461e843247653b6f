/**
 * Which records of a batch come again, as Lambda judges a function's response: nothing named is success,
 * and a response it can't make sense of (no object, an empty id, an unknown one) brings back the whole batch.
 */
export const comesAgain = (response: unknown, ids: readonly string[]): ReadonlySet<string> => {
  if (response === null || response === undefined) return new Set();
  if (typeof response !== "object" || Array.isArray(response)) return new Set(ids);
  const failures = "batchItemFailures" in response ? response.batchItemFailures : null;
  if (failures === null) return new Set();
  if (!Array.isArray(failures)) return new Set(ids);
  const failed = failures.map((failure) => failure?.itemIdentifier);
  return new Set(failed.every((id) => ids.includes(id)) ? failed : ids);
};
