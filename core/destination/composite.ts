import { type Destination, destinationOf } from "./destination.ts";

export const isComposite = (destination: Destination): boolean => destination.name.includes(",");

/** What a destination stands for: itself, or each part of `queue://a,topic://b,c` once. A part may carry its own kind, else it has the whole's. */
export const partsOf = (destination: Destination): readonly Destination[] => {
  if (!isComposite(destination)) return [destination];
  const texts = new Set(destination.name.split(",").map((text) => text.trim()));
  return [...texts].map((text) => destinationOf(text, destination.kind)).filter(({ name }) => name !== "");
};
