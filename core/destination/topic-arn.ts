import type { Addresses } from "./addresses.ts";
import type { Destination } from "./destination.ts";
import { decodePhysicalName } from "./physical-name.ts";

/** The JMS topic behind an ARN of this broker's; undefined for any other ARN, and for a name so long that it was hashed. */
export const topicBehind = (network: string, { place, topicArn }: Addresses, arn: string): Destination | undefined => {
  const physical = arn.slice(arn.lastIndexOf(":") + 1);
  const named = decodePhysicalName(physical);
  const isIts = named?.network === network && named.broker === place.id && named.kind === "t" && topicArn(physical) === arn;
  return isIts ? { kind: "topic", name: named.name } : undefined;
};
