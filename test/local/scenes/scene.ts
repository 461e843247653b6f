import type { NetworkInput } from "../../../core/config/define-network.ts";
import { type Connector, networkOf, type Particulars } from "../../support/simulator/topologies.ts";
import type { Stage } from "./stage.ts";

/** What a scenario says of a network, played on the embedded runtime. Every destination it names is its own, connectors and policies too. */
export interface Scene {
  /** Begins with the id of the scenario or rule that it plays. */
  readonly rule: string;
  readonly ways: string;
  /** Of all its connectors. */
  readonly connector?: Connector;
  readonly particulars?: Particulars;
  /** It stops a connector, which must be its own. */
  readonly stops?: true;
  readonly play: (stage: Stage) => Promise<void>;
}

/** A scene with its part of the network: its connectors and policies are its own, but for those that say the same without naming anything. */
export interface Placed extends Scene {
  /** Begins the names of its group's connectors and destinations. */
  readonly group: string;
  /** Begins the names of its own destinations. */
  readonly prefix: string;
}

export const placed = (scenes: readonly Scene[]): readonly Placed[] => {
  const groups = new Map<string, string>();
  return scenes.map((scene, index) => {
    const setting = JSON.stringify([scene.ways, scene.connector, scene.particulars]);
    const isShared = !/:\/\/[^>]/.test(setting) && !scene.stops;
    const group = isShared ? (groups.get(setting) ?? `g${groups.size}`) : `s${index}`;
    if (isShared) groups.set(setting, group);
    return { ...scene, group, prefix: isShared ? `${group}.s${index}` : group };
  });
};

/** The own name of a destination, or a filter, of several parts. */
export const ownName = (prefix: string, text: string): string =>
  text.replace(
    /(queue|topic):\/\/([^"]*)/g,
    (_, kind, names) => `${kind}://${names.replaceAll(/[^,]+/g, (name: string) => `${prefix}.${name}`)}`,
  );

export const ownConnector = (group: string, name: string): string => `${group}-${name}`;

const regions: Readonly<Record<string, string>> = { a: "us-east-1", b: "eu-west-1", c: "ap-northeast-1" };
const everything = ["queue://>", "topic://>"];

/** One network for all scenes, so that it boots once. */
export const networkFor = (scenes: readonly Placed[]): NetworkInput => {
  const brokers: Record<string, NetworkInput["brokers"][string]> = {};
  for (const { group, ways, connector, particulars = {} } of new Map(scenes.map((scene) => [scene.group, scene])).values()) {
    const network = networkOf(ways, { dynamicallyIncludedDestinations: everything, ...connector }, particulars);
    const owned: NetworkInput = JSON.parse(ownName(group, JSON.stringify(network)));
    for (const [id, { networkConnectors = [], destinationPolicies = [] }] of Object.entries(owned.brokers)) {
      const connectors = networkConnectors.map((one) => ({ ...one, name: ownConnector(group, one.name ?? "") }));
      brokers[id] = {
        region: regions[id] ?? "",
        subscriptionGrace: 0,
        autoCreateDestinations: everything,
        networkConnectors: [...(brokers[id]?.networkConnectors ?? []), ...connectors],
        destinationPolicies: [...(brokers[id]?.destinationPolicies ?? []), ...destinationPolicies],
      };
    }
  }
  return { network: "test", brokers };
};
