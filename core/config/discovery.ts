/** The addresses at which one peer may be found, whichever of them is up. */
export type Peer = readonly string[];

/**
 * The peers that a `uri` of ActiveMQ's networkConnector names: it makes a bridge to each part of a static list, and one to a
 * masterslave or failover list as a whole. Nothing where that can't be read from the text: multicast and the like, a placeholder.
 */
export const discoveredPeers = (uri: string): readonly Peer[] | undefined => {
  const [, scheme = "", rest = ""] = /^([a-z+]+):(?:\/\/)?(.*)$/i.exec(uri.replaceAll(/\s/g, "")) ?? [];
  switch (scheme.toLowerCase()) {
    case "static":
      return all(partsOf(rest)?.map(discoveredPeers))?.flat();
    case "masterslave":
    case "failover":
      return all([partsOf(rest)]);
    default:
      return transports.test(scheme) ? [[uri]] : undefined;
  }
};

/** Why a connector can't name its peer so, and how it does. */
export const describeDiscovery = (uri: unknown): string => {
  const peers = typeof uri === "string" ? discoveredPeers(uri) : undefined;
  const addresses = peers?.flat().length ?? 0;
  if (!peers || addresses === 0) return `names no peer that could be read here: ${writeEach}`;
  if (peers.length > 1) return `names ${peers.length} peers: ${writeEach}`;
  return `names one peer by ${addresses > 1 ? `${addresses} addresses` : "its address"}: write the id of its broker in \`to\``;
};

const writeEach = "write a connector for each, with the id of its broker in `to`";
const transports = /^(auto|auto\+nio|auto\+ssl|auto\+nio\+ssl|tcp|nio|ssl|nio\+ssl|http|https|ws|wss|vm|udp)$/i;

const all = <T>(found: readonly (T | undefined)[] | undefined): readonly T[] | undefined =>
  found?.every((one) => one !== undefined) ? found : undefined;

/** What stands between the outer brackets, parted at the commas outside inner ones; options behind them don't count. One alone needs no brackets. */
const partsOf = (list: string): Peer | undefined => {
  if (!list.startsWith("(")) return [list];
  const parts = [""];
  let depth = 0;
  for (const character of list) {
    if (character === ")") depth -= 1;
    if (depth === 0 && character === ")") return parts.filter((part) => part !== "");
    if (depth === 1 && character === ",") parts.push("");
    else if (depth > 0) parts.push(`${parts.pop()}${character}`);
    if (character === "(") depth += 1;
  }
  return undefined;
};
