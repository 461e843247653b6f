import type { NetworkInput } from "../../../core/config/define-network.ts";

type BrokerInput = NetworkInput["brokers"][string];
type ConnectorInput = NonNullable<BrokerInput["networkConnectors"]>[number];
export type Connector = Partial<Omit<ConnectorInput, "name" | "to" | "duplex">>;

/** What single brokers and single connectors (`a b`: from a to b) have of their own. */
export interface Particulars {
  readonly brokers?: Readonly<Record<string, Partial<BrokerInput>>>;
  readonly connectors?: Readonly<Record<string, Connector>>;
}

/**
 * A network by its ways: `a -> b` is a one-way connector of a, `a <-> b` one of each. All connectors are alike but for the particulars.
 * @example
 * networkOf("a -> b, b <-> c", { networkTTL: 2 }, { brokers: { a: { queues: ["orders"] } } });
 */
export const networkOf = (ways: string, connector: Connector = {}, { brokers = {}, connectors = {} }: Particulars = {}): NetworkInput => {
  const directions = ways.split(",").flatMap(directionsOf);
  const ids = [...new Set(directions.flat())];
  const broker = (id: string): BrokerInput => ({
    region: "eu-west-1",
    networkConnectors: directions
      .filter(([from]) => from === id)
      .map(([from, to]) => ({ name: `to-${to}`, to, ...connector, ...connectors[`${from} ${to}`] })),
    ...brokers[id],
  });
  return { network: "test", brokers: Object.fromEntries(ids.map((id) => [id, broker(id)])) };
};

const directionsOf = (way: string): (readonly [string, string])[] => {
  const [, from = "", arrow, to = ""] = /^\s*(\w+)\s*(<?->)\s*(\w+)\s*$/.exec(way) ?? [];
  if (arrow === undefined) throw new Error(`"${way}" is no way: write a -> b or a <-> b`);
  return arrow === "->"
    ? [[from, to]]
    : [
        [from, to],
        [to, from],
      ];
};

const named = (count: number): string[] => "abcdefghij".slice(0, count).split("");

/** Ways of the named topologies, all both ways. */
export const pair = "a <-> b";
export const diamond = "a <-> b, a <-> c, b <-> d, c <-> d";
export const chain = (count: number): string =>
  named(count)
    .slice(1)
    .map((id, index) => `${named(count)[index]} <-> ${id}`)
    .join(", ");
export const ring = (count: number): string => `${chain(count)}, ${named(count).at(-1)} <-> a`;
/** The hub is a. */
export const star = (count: number): string =>
  named(count)
    .slice(1)
    .map((id) => `a <-> ${id}`)
    .join(", ");
export const mesh = (count: number): string =>
  named(count)
    .flatMap((id, index) =>
      named(count)
        .slice(index + 1)
        .map((other) => `${id} <-> ${other}`),
    )
    .join(", ");
