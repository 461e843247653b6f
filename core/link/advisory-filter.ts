import type { NetworkConnector } from "../config/slice.ts";
import { type Destination, destinationOf } from "../destination/destination.ts";
import { compileFilter } from "../destination/filter.ts";

/** The demand that a connector's owner listens to: its dynamic list, or everything (spec ADV-4). */
export const advisoryFilterOf = ({ dynamicallyIncludedDestinations }: NetworkConnector): readonly string[] =>
  dynamicallyIncludedDestinations;

/** Does a peer with this filter want a hint about the destination? A pattern is tested as a name (spec W7). */
export const wantsHint = (advisoryFilter: readonly string[], destination: Destination): boolean =>
  advisoryFilter.length === 0 || advisoryFilter.some((text) => compileFilter(destinationOf(text))(destination));
