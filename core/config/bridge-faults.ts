import { destinationKey, parseDestination } from "../destination/destination.ts";
import type { ConfigFault, KeyPath } from "./fault.ts";
import { ownerOf } from "./jms-bridge.ts";
import { type Distance, nearestName } from "./nearest.ts";
import { at, itemsAt, keysOf, textAt } from "./reading.ts";

/** IAM takes no longer name of a role. */
const longestRole = 64;

/** What is wrong with JMS bridges between values that are each fine. */
export const bridgeFaults = (input: unknown, distance: Distance): readonly ConfigFault[] => {
  const bridges = itemsAt(input, "jmsBridges");
  const names = bridges.map((bridge) => textAt(bridge, "name"));
  return bridges.flatMap((bridge, i): readonly ConfigFault[] => {
    const path = ["jmsBridges", i];
    const name = names[i];
    const isSecond = name !== undefined && names.indexOf(name) < i;
    return [
      ...(isSecond ? [invalid([...path, "name"], name, `is the name of \`jmsBridges.${names.indexOf(name)}\` too; rename one`)] : []),
      ...["source", "target"].flatMap((end) => endFaults(input, at(bridge, end), [...path, end], distance)),
      ...(keyOf(at(bridge, "source")) !== undefined && keyOf(at(bridge, "source")) === keyOf(at(bridge, "target"))
        ? [invalid([...path, "target"], at(bridge, "target"), "must be another than its source: its messages would go round for ever")]
        : []),
      ...subscriptionFaults(bridge, path),
      ...ownerFaults(input, bridge, path),
    ];
  });
};

const endFaults = (input: unknown, end: unknown, path: KeyPath, distance: Distance): ConfigFault[] => {
  if (typeof end !== "object" || end === null) return [];
  const [broker, arn] = [textAt(end, "broker"), at(end, "arn")];
  const has = (key: string) => at(end, key) !== undefined;
  const isWhole = has("arn") ? !has("broker") && !has("destination") : has("broker") && has("destination");
  if (!isWhole) return [invalid(path, end, `must be { broker, destination } or { arn }, not { ${keysOf(end).join(", ")} }`)];
  const known = keysOf(at(input, "brokers"));
  if (arn !== undefined || broker === undefined || known.includes(broker)) return [];
  return [
    { fault: "unknown-broker", path: [...path, "broker"], value: broker, broker, nearest: nearestName(broker, known, distance), known },
  ];
};

/** One text for one place, however it is written. */
const keyOf = (end: unknown): string | undefined => {
  const [broker, destination] = [textAt(end, "broker"), textAt(end, "destination")];
  if (broker === undefined || destination === undefined) return textAt(end, "arn");
  const parsed = parseDestination(destination);
  return "fault" in parsed ? undefined : `${broker} ${destinationKey(parsed)}`;
};

const subscriptionFaults = (bridge: unknown, path: KeyPath): readonly ConfigFault[] => {
  const halves = ["subscriptionName", "clientID"] as const;
  const given = halves.filter((key) => at(bridge, key) !== undefined);
  const isTopic = textAt(at(bridge, "source"), "destination")?.startsWith("topic://") ?? true;
  const isTopicOfBroker = isTopic && at(at(bridge, "source"), "arn") === undefined;
  if (isTopicOfBroker && given.length === halves.length) return [];
  const missing = halves.find((key) => !given.includes(key));
  const must = isTopicOfBroker
    ? `needs \`${missing}\` beside it: together they name a durable subscription`
    : "is for a topic of a broker as source; remove it";
  return given.map((key) => invalid([...path, key], at(bridge, key), must));
};

const ownerFaults = (input: unknown, bridge: unknown, path: KeyPath): ConfigFault[] => {
  const [source, name, network] = [at(bridge, "source"), textAt(bridge, "name"), textAt(input, "network")];
  const [broker, arn] = [textAt(source, "broker"), textAt(source, "arn")];
  const brokers = Object.fromEntries(
    keysOf(at(input, "brokers")).map((id) => [id, { region: at(at(at(input, "brokers"), id), "region") }]),
  );
  const owner = ownerOf({ broker, arn }, brokers);
  if (arn !== undefined && owner === undefined)
    return [
      invalid(
        [...path, "source", "arn"],
        arn,
        "must be in the region of a broker, which runs the bridge; elsewhere use the construct JmsBridge",
      ),
    ];
  if (owner === undefined || name === undefined || network === undefined) return [];
  const room = longestRole - bridgeRole(network, owner, "").length;
  return name.length > room
    ? [invalid([...path, "name"], name, `must have at most ${room} characters: with the ids of network and broker it names a role`)]
    : [];
};

/** Name of the function that runs a bridge, and of its role. */
export const bridgeRole = (network: string, broker: string, bridge: string): string => `spanmq-${network}-${broker}-bridge-${bridge}`;

const invalid = (path: KeyPath, value: unknown, must: string): ConfigFault => ({ fault: "invalid", path, value, must });
