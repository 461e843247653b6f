import { destinationKey } from "../destination/destination.ts";
import type { Hash, Message } from "./message.ts";

type Grouped = Pick<Message, "destination" | "groupId">;

/** What a FIFO destination orders among themselves: messages of one JMSXGroupID; those that name none are one group. */
export const groupOf = ({ destination, groupId }: Grouped, hash: Hash): string => {
  const group = groupId || destinationKey(destination);
  return isLegal(group) ? group : hash(group);
};

/** The same on a queue that several destinations share, so that a stuck group of one stops no other's. */
export const sharedGroupOf = (message: Grouped, hash: Hash): string =>
  hash(`${destinationKey(message.destination)}|${groupOf(message, hash)}`);

/** As a MessageGroupId. */
const isLegal = (group: string): boolean => /^[!-~]{1,128}$/.test(group);
