import type { KeyPath } from "./fault.ts";
import { at, itemsAt, keysOf, textAt, textOf } from "./reading.ts";
import { parseLink } from "./schema/link.ts";

/** A connector as far as it can be read, written in full or as a link; it leads from its owner to `to`. */
export interface OutlinedConnector {
  readonly path: KeyPath;
  /** Where its ends are written. */
  readonly ends: { readonly path: KeyPath; readonly value: string };
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly duplex: boolean;
}

/** What can be read of a configuration, faulty or not: so that faults of its graph are reported together with those of its values. */
export interface Outline {
  readonly network: string;
  readonly brokers: readonly string[];
  readonly connectors: readonly OutlinedConnector[];
}

export const outlineOf = (input: unknown): Outline => {
  const brokers = keysOf(at(input, "brokers"));
  return {
    network: textAt(input, "network") ?? "",
    brokers,
    connectors: [...brokers.flatMap((from) => connectorsOf(input, from)), ...itemsAt(input, "links").flatMap(linked)],
  };
};

const connectorsOf = (input: unknown, from: string): OutlinedConnector[] =>
  itemsAt(at(at(input, "brokers"), from), "networkConnectors").flatMap((connector, i) => {
    const path = ["brokers", from, "networkConnectors", i];
    const to = textAt(connector, "to");
    if (to === undefined) return [];
    const name = textAt(connector, "name") ?? "NC";
    return [{ path, ends: { path: [...path, "to"], value: to }, name, from, to, duplex: at(connector, "duplex") === true }];
  });

const linked = (item: unknown, i: number): OutlinedConnector[] => {
  const value = textOf(item) ?? "";
  const link = parseLink(value);
  return link ? [{ path: ["links", i], ends: { path: ["links", i], value }, ...link }] : [];
};
