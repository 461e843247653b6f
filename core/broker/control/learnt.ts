import type { NetworkConnector } from "../../config/slice.ts";
import type { DemandGroup, DemandRecord, DemandRoot, LearntRecord } from "../../demand/demand.ts";
import { judgeLearnt } from "../../demand/learn.ts";
import { bucketOf } from "../../demand/publish.ts";
import type { DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Hash } from "../../message/message.ts";
import type { Brain, Stored } from "../../ports.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { Identity } from "../identity.ts";
import { learntScope, patterns } from "./facts.ts";

interface LearntPorts {
  readonly identity: Identity;
  readonly brain: Brain;
}

/**
 * Replaces what was learnt (`stored`) only by a higher version, or by another table's. Answers whether that is worth a judgement: what was for
 * others to serve and still is changes nothing here, and nobody waits to be told of it.
 */
export const learn = async (
  { brain, identity }: LearntPorts,
  connector: NetworkConnector,
  stored: Stored<LearntRecord> | undefined,
  { destination, version, groups }: DemandRecord,
  tableId: string,
): Promise<boolean> => {
  const { link } = connector;
  const knows = ({ value }: Stored<LearntRecord>): boolean => value.tableId === tableId && value.version >= version;
  if (stored && knows(stored)) return stored.value.told < version;
  const isJudged = !stored || (stored.value.tableId === tableId && stored.value.told === stored.value.version);
  const isForOthers = isJudged && ![...(stored?.value.groups ?? []), ...groups].some((group) => isOurs(group, connector));
  const learnt: LearntRecord = { link, destination, version, tableId, groups, told: isForOthers ? version : 0 };
  const scope = learntScope(link, destination, identity.hash);
  if ((await brain.write("learnt", scope, destination, learnt, stored?.revision ?? 0)) !== "moved") return !isForOthers;
  const known = await brain.read("learnt", scope, destination);
  if (!known || !knows(known)) throw new Contended(`learnt ${link} ${destination}`);
  return known.value.told < version;
};

const isOurs = (group: DemandGroup, connector: NetworkConnector): boolean =>
  judgeLearnt(group, connector.from, connector).verdict === "learn";

export const heldIn = async (brain: Brain, hash: Hash, link: LinkId, bucket: string): Promise<readonly Stored<LearntRecord>[]> => {
  const [named, wide] = await Promise.all([brain.list("learnt", `${link}#${bucket}`), brain.list("learnt", `${link}#${patterns}`)]);
  return [...named, ...wide.filter(({ id }) => bucketOf(id, hash) === bucket)];
};

/** Of no table: whatever the peer has differs. */
const noTable = "forgotten";

/** What was learnt is found by its bucket: one that no comparison has seen yet is noted first, with a version that its root never has. */
export const noteBucket = async (brain: Brain, link: LinkId, bucket: string): Promise<void> => {
  const seen = await brain.read("seen", "", link);
  const { tableId = noTable, buckets = {} }: Partial<DemandRoot> = seen?.value ?? {};
  if (buckets[bucket] !== undefined) return;
  const noted = await brain.write("seen", "", link, { tableId, buckets: { ...buckets, [bucket]: 0 } }, seen?.revision ?? 0);
  if (noted === "moved") await noteBucket(brain, link, bucket);
};

/** The peer fell silent, or our lists changed: its demand is read whole once more. Answers what it was known to want, concrete and pattern. */
export const forgetPeer = async (brain: Brain, link: LinkId): Promise<readonly DestinationKey[]> => {
  const seen = await brain.read("seen", "", link);
  if (!seen) return [];
  await writeJudged(brain, "seen", "", link, { ...seen.value, tableId: noTable }, seen.revision);
  const scopes = [...Object.keys(seen.value.buckets), patterns];
  const learnt = await Promise.all(scopes.map((scope) => brain.list("learnt", `${link}#${scope}`)));
  return learnt.flat().map(({ id }) => id);
};
