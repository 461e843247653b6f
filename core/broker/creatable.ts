import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { BrokerSlice } from "../config/slice.ts";
import { type Destination, destinationOf } from "../destination/destination.ts";
import { compileFilter } from "../destination/filter.ts";
import { isPlain } from "../destination/plain.ts";
import { isForDeadLetters } from "../policy/policy.ts";

/** May control make this destination on first use? By default whatever a connector from or to this broker permits, and always dead letters'. */
export const mayCreate = (slice: BrokerSlice, destination: Destination): boolean => {
  const { autoCreateDestinations, connectors, broker, destinationPolicies } = slice;
  // What keeps order is declared only: it has an event source of its own.
  if (!isPlain(destination) || destination.kind === "temp-queue" || destination.kind === "temp-topic") return false;
  if (isForDeadLetters(destinationPolicies, destination)) return true;
  if (autoCreateDestinations !== "permitted") {
    return autoCreateDestinations.some((text) => compileFilter(destinationOf(text))(destination));
  }
  const ours = connectors.filter(({ from, to }) => from === broker || to === broker);
  return ours.some((connector) => isPermitted(permitsOf(connector), destination));
};

/** Is a destination without a view worth waiting for? What is declared stands already: control shows it when it has read the deployment. */
export const mayComeToBe = (slice: BrokerSlice, destination: Destination): boolean => {
  const declared = destination.kind === "queue" ? slice.queues : destination.kind === "topic" ? slice.topics : [];
  return declared.includes(destination.name) || mayCreate(slice, destination);
};
