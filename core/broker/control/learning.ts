import type { NetworkConnector } from "../../config/slice.ts";
import type { DemandRecord, LearntRecord } from "../../demand/demand.ts";
import { bucketOf, differingBuckets } from "../../demand/publish.ts";
import { type DestinationKey, destinationOf } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import { mayLearn } from "../../link/advisory-filter.ts";
import { isAway } from "../../link/link.ts";
import type { Stored } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem } from "../records.ts";
import type { Touched } from "./applying.ts";
import { learntScope } from "./facts.ts";
import { heldIn, learn, noteBucket } from "./learnt.ts";
import type { ControlPorts } from "./ports.ts";

/**
 * A hint names a peer and a destination: one read tells all. A hint that was lost, doubled or overtaken can only cause a read. What we hold is
 * read before the peer is asked: an answer that is older than what somebody learnt meanwhile isn't taken.
 */
export const readHint = async (
  ports: ControlPorts,
  { slice }: BrokerItem,
  { from, destination }: Extract<ControlEvent, { event: "hint" }>,
): Promise<Touched> => {
  const connectors = slice.connectors
    .filter((connector) => connector.from === slice.broker && connector.to === from)
    .filter((connector) => mayLearn(connector, destinationOf(destination)));
  if (connectors.length === 0) return { destinations: [] };
  const { hash } = ports.identity;
  const bucket = bucketOf(destination, hash);
  const held = await Promise.all(
    connectors.map(({ link }) => ports.brain.read("learnt", learntScope(link, destination, hash), destination)),
  );
  const asked = await ask(ports.peers.item(from, bucket, destination));
  if ("dropped" in asked) return { destinations: [], dropped: asked.dropped };
  if (!asked.answer?.record) return { destinations: [] };
  const { record, tableId } = asked.answer;
  const changed: boolean[] = [];
  for (const [index, connector] of connectors.entries()) {
    await noteBucket(ports.brain, connector.link, bucket);
    changed.push(await learn(ports, connector, held[index], record, tableId));
  }
  return { destinations: changed.includes(true) ? [destination] : [] };
};

/**
 * Reads the peer's root and visits the buckets that differ. A bucket's version, as the root had it before the visit, is stored only
 * after the bucket was applied. Crash window: the visit is repeated. A link whose peer is away isn't compared: what it learnt would be judged
 * as nobody's demand and, once seen, not again when the link comes up.
 */
export const compareRoots = async (ports: ControlPorts, { slice }: BrokerItem, link: LinkId, now: number): Promise<Touched> => {
  const connector = slice.connectors.find((one) => one.link === link && one.from === slice.broker);
  if (!connector) return { destinations: [] };
  const known = await ports.brain.read("link", "", link);
  if (isAway(known?.value, slice.peerLease, now)) return { destinations: [], dropped: "the link waits for its peer" };
  const asked = await ask(ports.peers.root(connector.to));
  if ("dropped" in asked) return { destinations: [], dropped: asked.dropped };
  const root = asked.answer;
  if (!root) return { destinations: [] };
  const seen = await ports.brain.read("seen", "", link);
  const whole = seen?.value.tableId !== root.tableId;
  const touched: DestinationKey[] = [];
  const obsolete: Stored<LearntRecord>[] = [];
  for (const bucket of differingBuckets(root, seen?.value)) {
    const held = await heldIn(ports.brain, ports.identity.hash, link, bucket);
    const records = await ask(ports.peers.bucket(connector.to, bucket));
    if ("dropped" in records) return { destinations: touched, dropped: records.dropped };
    const taken = await takeOverBucket(ports, connector, { held, records: records.answer, tableId: root.tableId, all: whole });
    touched.push(...taken.touched);
    obsolete.push(...taken.obsolete);
  }
  const afterwards = async (): Promise<void> => {
    for (const { id, revision } of obsolete)
      await ports.brain.write("learnt", learntScope(link, id, ports.identity.hash), id, undefined, revision);
    if (JSON.stringify(seen?.value) !== JSON.stringify(root)) await writeJudged(ports.brain, "seen", "", link, root, seen?.revision ?? 0);
  };
  return { destinations: touched, afterwards };
};

interface Visit {
  /** What we held of the bucket before it was read: rows written since stay. */
  readonly held: readonly Stored<LearntRecord>[];
  readonly records: readonly DemandRecord[];
  readonly tableId: string;
  /** The link came up or the peer's table is another one: what is known already is judged again too. */
  readonly all: boolean;
}

/** Takes over what the link permits of a bucket: what we hold and the peer doesn't list means nothing from now on, and goes once that was judged. */
const takeOverBucket = async (
  ports: ControlPorts,
  connector: NetworkConnector,
  { held, records, tableId, all }: Visit,
): Promise<{ readonly touched: DestinationKey[]; readonly obsolete: Stored<LearntRecord>[] }> => {
  const { brain, identity } = ports;
  const holds = new Map(held.map((learnt) => [learnt.id, learnt]));
  const permitted = records.filter(({ destination }) => mayLearn(connector, destinationOf(destination)));
  const listed = new Set(permitted.map(({ destination }) => destination));
  const touched: DestinationKey[] = [];
  for (const record of permitted) {
    const isNews = await learn(ports, connector, holds.get(record.destination), record, tableId);
    if (isNews || all) touched.push(record.destination);
  }
  const obsolete: Stored<LearntRecord>[] = [];
  for (const { id, value, revision } of held.filter((learnt) => !listed.has(learnt.id))) {
    const scope = learntScope(connector.link, id, identity.hash);
    // Older than whatever the peer may list: should it be permitted again, it is taken anew.
    const empty: LearntRecord = { ...value, version: 0, groups: [] };
    const emptied = await brain.write("learnt", scope, id, empty, revision);
    if (emptied === "moved") continue;
    touched.push(id);
    obsolete.push({ id, value: empty, revision: emptied });
  }
  return { touched, obsolete };
};

/** A peer that doesn't answer is asked again by the next tick: its root repeats what was missed. */
const ask = async <T>(call: Promise<T>): Promise<{ readonly answer: T } | { readonly dropped: string }> => {
  try {
    return { answer: await call };
  } catch (error) {
    return { dropped: `the peer doesn't answer: ${error instanceof Error ? error.message : String(error)}` };
  }
};
