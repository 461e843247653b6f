import * as z from "zod";
import { flag, whole } from "./values.ts";

/** A key that a file of ActiveMQ's may have: of the manual's type, and never read. */
const unread = (schema: z.ZodType, instead: string) => schema.optional().describe(instead);
const text = () => z.string("must be text");
const percentage = "must be a whole number from 0 to 100";
const milliseconds = "must be a whole number of milliseconds";

const roles = "the stacks give each broker a role, and no broker logs in to another";
const unpolled = "demand is read from the peer's table, in one go";
const statistics = "statistics are metrics, which need no collecting";
const synchronous = "a hand-over is a call whose answer is waited for, many at a time";

/** Keys of a connector that set nothing here; each description says what there is instead. */
export const unreadKeys = {
  uri: unread(text(), "the peer is the broker that `to` names, one connector for each"),
  userName: unread(text(), roles),
  password: unread(text(), roles),
  remoteUserName: unread(text(), roles),
  remotePassword: unread(text(), roles),
  clientIdToken: unread(text(), "nothing has a client id: names of queues and subscriptions are computed"),
  useBrokerNamesAsIdSeed: unread(flag(), "ids are computed from the ids of the brokers"),
  dispatchAsync: unread(flag(), synchronous),
  alwaysSyncSend: unread(flag(), synchronous),
  useCompression: unread(flag(), "bodies travel as their producers wrote them"),
  advisoryPrefetchSize: unread(whole("must be a whole number", Number.MIN_SAFE_INTEGER), unpolled),
  advisoryAckPercentage: unread(whole(percentage, 0, 100), unpolled),
  gcDestinationViews: unread(flag(), statistics),
  gcSweepTime: unread(whole(milliseconds, 0), statistics),
  checkDuplicateMessagesOnDuplex: unread(flag(), "`enableAudit` of the destination's policy drops repetitions, both ways"),
};
export type UnreadKey = keyof typeof unreadKeys;

export const isUnread = (key: string): key is UnreadKey => Object.hasOwn(unreadKeys, key);

/** What it says is gone: secrets in particular get no further than this. */
export const withoutUnread = <Written extends object>(written: Written): Omit<Written, UnreadKey> =>
  Object.fromEntries(Object.entries(written).filter(([key]) => !isUnread(key))) as Omit<Written, UnreadKey>;
