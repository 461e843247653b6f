import { staticKeys } from "../../config/permitted.ts";
import type { NetworkConnector } from "../../config/slice.ts";
import { type DestinationKey, destinationKey, destinationOf } from "../../destination/destination.ts";
import { leftOfRun } from "../../link/link.ts";
import type { Brain, OutgoingEvent } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { BrokerItem } from "../records.ts";
import type { Touched } from "./applying.ts";
import { listing } from "./discovering.ts";
import { forgetPeer } from "./learnt.ts";
import type { ControlPorts } from "./ports.ts";
import { isRestored, noteTable, takeUpRestored } from "./restored.ts";

/**
 * A configuration was deployed, or the table was restored: what it declares is here, what it no longer declares is made anew if somebody
 * wants it, its links are probed at once, what may have been subscribed to its topics is listed, and whatever is known of any destination
 * is judged by the new rules.
 */
export const takeUp = async (ports: ControlPorts, { slice }: BrokerItem, now: number): Promise<Touched> => {
  await noteTable(ports);
  const declared = declaredKeys(slice);
  await keepDeclared(ports.brain, declared, slice.removedDestinations ?? [], now);
  const links = slice.connectors.filter(({ from }) => from === slice.broker);
  await forgetLinks(ports.brain, links);
  const learnt: DestinationKey[] = [];
  for (const { link } of links) learnt.push(...(await forgetPeer(ports.brain, link)));
  await ports.events.send([
    ...slice.connectors.filter(({ from, to }) => [from, to].includes(slice.broker)).map(probed),
    ...declared.filter((key) => destinationOf(key).kind === "topic").map((key) => listing(slice.broker, key)),
  ]);
  const known = await knownKeys(ports.brain);
  const destinations = [...new Set([...declared, ...links.flatMap(staticKeys), ...learnt, ...known])];
  return { destinations, ...((await isRestored(ports)) && { afterwards: await takeUpRestored(ports, slice, destinations, now) }) };
};

/** Peers whose links end here probe at once too, though they may have heard that we were closing. */
const probed = ({ link, from }: NetworkConnector): OutgoingEvent => ({ to: from, event: { event: "probe", link, heard: true } });

const forgetLinks = async (brain: Brain, links: readonly NetworkConnector[]): Promise<void> => {
  for (const { id, value, revision } of await brain.list("link", "")) {
    if (links.some(({ link }) => link === id)) continue;
    const left = leftOfRun(value);
    if (JSON.stringify(left) !== JSON.stringify(value)) await writeJudged(brain, "link", "", id, left, revision);
  }
};

/**
 * CloudFormation makes and removes what is declared: its records follow. What left the configuration is deleted after we were told; who was
 * subscribed to it wants nothing any more.
 */
const keepDeclared = async (
  brain: Brain,
  declared: readonly DestinationKey[],
  removed: readonly DestinationKey[],
  now: number,
): Promise<void> => {
  const here = await brain.list("destination", "");
  const gone = here.filter(({ id, value }) => value.owner === "declared" && value.goneAt === undefined && !declared.includes(id));
  for (const { id, value, revision } of gone) {
    const discovered = await brain.read("discovered", "", id);
    if (discovered) await writeJudged(brain, "discovered", "", id, undefined, discovered.revision);
    await writeJudged(brain, "destination", "", id, { ...value, goneAt: now }, revision);
  }
  for (const key of declared) {
    const stored = here.find(({ id }) => id === key);
    const { owner, madeAt = now, removal = {}, goneAt } = stored?.value ?? {};
    const isRemoved = removed.includes(key);
    const isKnown = owner === "declared" && goneAt === undefined;
    if (isKnown && isRemoved === (stored?.value.removal !== undefined)) continue;
    const record = {
      destination: destinationOf(key),
      owner: "declared",
      madeAt: isKnown ? madeAt : now,
      ...(isRemoved && { removal }),
    } as const;
    await writeJudged(brain, "destination", "", key, record, stored?.revision ?? 0);
  }
};

/** What is here, has a view, is consumed, or is wanted by somebody. */
const knownKeys = async (brain: Brain): Promise<DestinationKey[]> => {
  const [here, views, connections, root] = await Promise.all([
    brain.list("destination", ""),
    brain.list("view", ""),
    brain.list("connection", ""),
    brain.read("root", "", "root"),
  ]);
  const published = await Promise.all(Object.keys(root?.value.buckets ?? {}).map((bucket) => brain.list("demand", bucket)));
  return [...[...here, ...views, ...published.flat()].map(({ id }) => id), ...connections.flatMap(({ value }) => value.touched)];
};

/** A declared consumer declares its destination. */
const declaredKeys = ({ queues, topics, consumers }: BrokerItem["slice"]): DestinationKey[] => [
  ...queues.map((name) => destinationKey({ kind: "queue", name })),
  ...topics.map((name) => destinationKey({ kind: "topic", name })),
  ...consumers.map(({ destination }) => destinationKey(destinationOf(destination))),
];
