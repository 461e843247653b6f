import { type Destination, destinationKey, destinationOf } from "./destination.ts";

export const isComposite = (destination: Destination): boolean => destination.name.includes(",");

/** What a destination stands for: itself, or each part of `queue://a,topic://b,c` once. A part may carry its own kind, else it has the whole's. */
export const partsOf = (destination: Destination): readonly Destination[] => {
  if (!isComposite(destination)) return [destination];
  const parts = destination.name.split(",").map((text) => destinationOf(text.trim(), destination.kind));
  return [...new Map(parts.map((part) => [destinationKey(part), part])).values()].filter(({ name }) => name !== "");
};
