import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Audit, Claim, ClaimAnswer, ClaimOf, Left } from "../core/carry/audit.ts";
import type { ClaimKey, ClaimRecord } from "../core/carry/claim.ts";
import { sha256 } from "./keys.ts";
import { putRows } from "./put-rows.ts";
import { numberIn, type Row, rowInTheWay } from "./rows.ts";

export interface AuditOptions {
  readonly dynamo: DynamoDBClient;
  readonly table: string;
  /** Milliseconds for which a claim is remembered: longer than any route holds a message. @default 15 days */
  readonly window?: number;
}

export const fifteenDays = 15 * 86_400_000;

/**
 * Claims in DynamoDB (docs/table.md): each step of each claim is one conditional write, and the client's sockets bound how many run at once;
 * what is settled together is written in one call.
 * A row of up to 1 KB costs one write unit: 200 bytes, its key, and its plan, in which the destination stands twice.
 */
export const dynamoAudit = <P>({ dynamo, table, window = fifteenDays }: AuditOptions): Audit<P> => {
  const at = (key: ClaimKey) => ({ TableName: table, Key: { claim: { S: stored(key) } } });
  const read = async (key: ClaimKey) => (await dynamo.send(new GetItemCommand({ ...at(key), ConsistentRead: true }))).Item;
  const times = (now: number) => ({ now: { N: String(now) }, expires: { N: String(seconds(now + window)) } });

  const claim = async ({ key, owner, attempt, plan }: Claim<P>, now: number): Promise<ClaimAnswer<P>> => {
    const { now: claimedAt, expires } = times(now);
    const mine = { owner: { S: owner }, attempt: { S: attempt }, claimedAt, expires, plan: { S: JSON.stringify(plan) } };
    const put = new PutItemCommand({
      TableName: table,
      Item: { ...at(key).Key, ...mine },
      // Nobody's, or one whose time is over: DynamoDB deletes those days later.
      ConditionExpression: "attribute_not_exists(claim) OR expires <= :now",
      ExpressionAttributeValues: { ":now": { N: String(seconds(now)) } },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    const sent = () => dynamo.send(put);
    const blocking = await rowInTheWay(sent, () => read(key));
    if (!blocking) return { answer: "granted" };
    return blocking.claim ? { answer: "found", record: toRecord(blocking) } : { answer: "unknown", why: "released while it was claimed" };
  };

  const takeOver: Audit<P>["takeOver"] = async ({ key, owner, attempt }, found, now) => {
    const { now: claimedAt, expires } = times(now);
    const update = new UpdateItemCommand({
      ...at(key),
      UpdateExpression: "SET #owner = :owner, attempt = :attempt, claimedAt = :claimedAt, expires = :expires REMOVE outcome",
      // Still the very claim that was found.
      ConditionExpression: "attempt = :theirs AND claimedAt = :since AND NOT outcome = :done",
      ExpressionAttributeNames: { "#owner": "owner" },
      ExpressionAttributeValues: {
        ":owner": { S: owner },
        ":attempt": { S: attempt },
        ":claimedAt": claimedAt,
        ":expires": expires,
        ":theirs": { S: found.attempt },
        ":since": { N: String(found.claimedAt) },
        ":done": { S: "done" },
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    const sent = () => dynamo.send(update);
    const blocking = await rowInTheWay(sent, () => read(key));
    // The SDK's repetition after a lost answer meets what the first call wrote.
    return !blocking || (blocking.attempt?.S === attempt && numberIn(blocking, "claimedAt") === now) ? "granted" : "lost";
  };

  const progress = ({ key, attempt, left }: Left<P>): Promise<unknown> =>
    dynamo.send(
      new UpdateItemCommand({
        ...at(key),
        // `plan` is a word of DynamoDB's own.
        UpdateExpression: "SET #plan = :left, outcome = :open",
        ConditionExpression: "attempt = :attempt AND NOT outcome = :done", // still ours; open already after a lost answer
        ExpressionAttributeNames: { "#plan": "plan" },
        ExpressionAttributeValues: {
          ":left": { S: JSON.stringify(left) },
          ":open": { S: "open" },
          ":attempt": { S: attempt },
          ":done": { S: "done" },
        },
      }),
    );

  /** A row that says no more than that: nobody asks who was at what is done, and where it went. */
  const settle: Audit<P>["settle"] = async (claims, now) => {
    const keys = claims.map(({ key }) => stored(key));
    const { expires } = times(now);
    const rows = [...new Set(keys)].map((claim): Row => ({ claim: { S: claim }, outcome: { S: "done" }, expires }));
    const unwritten = new Set((await putRows(dynamo, table, rows)).map(({ claim: key }) => key?.S));
    return keys.map((key) => (unwritten.has(key) ? "unsettled" : "settled"));
  };

  const release = async ({ key, attempt }: ClaimOf): Promise<"released"> => {
    const deletion = new DeleteItemCommand({
      ...at(key),
      ConditionExpression: "attempt = :attempt AND attribute_not_exists(outcome)", // still ours, and not done
      ExpressionAttributeValues: { ":attempt": { S: attempt } },
    });
    await dynamo.send(deletion).catch((error) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
    return "released";
  };

  return {
    claim: (claims, now) => Promise.all(claims.map((one) => claim(one, now).catch(unknown))),
    // Whether it was written or not: our claim, if it is there, ends by its age.
    takeOver: (...taking) => takeOver(...taking).catch(() => "lost" as const),
    // What isn't noted is handed over once more.
    progress: async (claims) => void (await Promise.allSettled(claims.map(progress))),
    settle,
    release: (claims) => Promise.all(claims.map((one) => release(one).catch(() => "unreleased" as const))),
  };
};

const unknown = (error: unknown) => ({ answer: "unknown", why: String(error) }) as const;

/** DynamoDB takes 2,048 bytes as a key. From here on the hash is cheaper: with it even a name of 300 letters costs one write unit. */
const longestKey = 256;
const stored = (key: ClaimKey): string => (Buffer.byteLength(key) <= longestKey ? key : sha256(key));

/** DynamoDB's TTL counts seconds. */
const seconds = (ms: number): number => Math.floor(ms / 1_000);

const toRecord = <P>(row: Row): ClaimRecord<P> => ({
  owner: row.owner?.S ?? "",
  attempt: row.attempt?.S ?? "",
  claimedAt: numberIn(row, "claimedAt"),
  plan: JSON.parse(row.plan?.S ?? "null"),
  state: stateOf(row.outcome?.S),
});

const stateOf = (text: string | undefined): ClaimRecord<unknown>["state"] => (text === "done" || text === "open" ? text : "claimed");
