import { idsLimit } from "../destination/physical-name.ts";
import { describeDiscovery } from "./discovery.ts";
import { type ConfigFault, describePath, type KeyPath } from "./fault.ts";
import { type Distance, nearestName } from "./nearest.ts";
import type { Outline, OutlinedConnector } from "./outline.ts";
import { idShape } from "./schema/network.ts";

/** What is wrong between values that are each fine: ids, the ends of connectors, and their names. */
export const graphFaults = (outline: Outline, distance: Distance): readonly ConfigFault[] => [
  ...idFaults(outline),
  ...outline.connectors.flatMap((connector) => endFaults(connector, outline.brokers, distance)),
  ...nameClashes(outline.connectors),
];

const idFaults = ({ network, brokers }: Outline): ConfigFault[] => {
  const room = idsLimit - network.length;
  if (room < 1) return [invalid(["network"], network, `must have at most ${idsLimit - 1} characters: every physical name begins with it`)];
  return brokers.flatMap((id) => {
    const path = ["brokers", id];
    if (!idShape.test(id)) return [invalid(path, id, `must have an id of lower-case letters and digits${proposal(id)}`)];
    return id.length > room ? [invalid(path, id, `must have an id of at most ${room} characters (${idsLimit} with the network's)`)] : [];
  });
};

const proposal = (id: string): string => {
  const valid = id.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return valid === "" ? "" : `, such as \`${valid}\``;
};

const endFaults = ({ from, to, ends }: OutlinedConnector, brokers: readonly string[], distance: Distance): ConfigFault[] => {
  if (to.includes(":")) return [invalid(ends.path, ends.value, describeDiscovery(to))];
  const unknown = [from, to].filter((end, i, both) => !brokers.includes(end) && both.indexOf(end) === i);
  if (unknown.length > 0)
    return unknown.map((broker) => ({
      fault: "unknown-broker",
      ...ends,
      broker,
      nearest: nearestName(broker, brokers, distance),
      known: brokers,
    }));
  return from === to ? [invalid(ends.path, ends.value, "must lead to another broker than its own")] : [];
};

/** A connector's name is its link's id at its owner; a duplex connector has one at each end. */
const nameClashes = (connectors: readonly OutlinedConnector[]): ConfigFault[] => {
  const owned = connectors
    .filter(({ from, to }) => from !== to)
    .flatMap(({ path, name, from, to, duplex }) => [
      { path, name, owner: from },
      ...(duplex ? [{ path, name, owner: to, mirror: true }] : []),
    ]);
  const first = new Map<string, KeyPath>();
  return owned.flatMap(({ path, name, owner, ...mirror }) => {
    const key = `${owner}:${name}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, path);
      return [];
    }
    const what = "mirror" in mirror ? "the other direction of this duplex connector is a second connector" : "is a second connector";
    return [invalid(path, name, `${what} named "${name}" on broker ${owner}, beside ${describePath(earlier)}; rename one`)];
  });
};

const invalid = (path: KeyPath, value: unknown, must: string): ConfigFault => ({ fault: "invalid", path, value, must });
