import type { DestinationKey } from "../destination/destination.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import { type UnreadKey, unreadKeys } from "./schema/unread.ts";

/** Allowed, and probably not meant. */
export type ConfigWarning =
  | { readonly warning: "parallel-links"; readonly from: BrokerId; readonly to: BrokerId; readonly links: readonly LinkId[] }
  | { readonly warning: "loop"; readonly brokers: readonly BrokerId[] }
  | { readonly warning: "static-pattern"; readonly link: LinkId; readonly pattern: string; readonly declared: readonly string[] }
  | { readonly warning: "consumer-of-removed"; readonly broker: BrokerId; readonly destination: DestinationKey }
  | { readonly warning: "deaf-filter"; readonly link: LinkId; readonly part: string }
  | { readonly warning: "bridge-unlinked"; readonly bridge: string; readonly from: BrokerId; readonly to: BrokerId }
  | { readonly warning: "unread-key"; readonly broker: BrokerId; readonly connector: string; readonly key: UnreadKey };

export const describeConfigWarning = (warning: ConfigWarning): string => {
  switch (warning.warning) {
    case "parallel-links":
      return `${warning.from} → ${warning.to} has ${warning.links.length} parallel links (${warning.links.join(", ")}): they share a queue's messages, and a topic's cross by one; should one be enough, remove the other (duplex is written on one side only), or divide the destinations between them`;
    case "loop":
      return `${[...warning.brokers, warning.brokers[0]].join(" → ")} is a loop that the TTLs allow: a message may reach a broker on two ways; lower networkTTL, or suppress duplicate subscriptions`;
    case "static-pattern":
      return `${warning.link} includes the pattern ${warning.pattern} statically: whatever exists and matches crosses, wanted or not; declared now: ${warning.declared.join(", ") || "nothing"}`;
    case "consumer-of-removed":
      return `${warning.broker} declares a consumer of ${warning.destination}, which is being removed: it takes what is left there, but peers don't hear of it; remove the consumer once the destination is empty`;
    case "deaf-filter":
      return `${warning.link} has "${warning.part}" in its destinationFilter, which no consumer's advisory matches: it hears nothing by that; write Queue. or Topic. and a name or pattern, and before all but the first the prefix ActiveMQ.Advisory.Consumer.`;
    case "bridge-unlinked":
      return `jmsBridges ${warning.bridge} ends at ${warning.to}, to which ${warning.from} has no connector: ${warning.to} can't check who signed for a message, so that one sent again after a crash is two there, behind once too; give ${warning.from} a networkConnector to ${warning.to} (one that excludes "queue://>" and "topic://>" carries nothing and still brings the keys)`;
    case "unread-key":
      return `${warning.broker}:${warning.connector} sets ${warning.key}, which is not read: ${unreadKeys[warning.key].description}; remove it`;
    default:
      return warning satisfies never;
  }
};
