/** Reading rows of a brain table. */
export const rowReads = ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:BatchGetItem"];

/** Only rows of these partitions. A call that names no partition satisfies `ForAllValues`, so a second condition refuses it. */
export const onlyPartitions = (...partitions: readonly string[]) => ({
  "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions },
  Null: { "dynamodb:LeadingKeys": "false" },
});

/** What a broker publishes for its peers: demand, and the root that says what changed. */
export const publishedDemand = onlyPartitions("demand#*", "root#*");
