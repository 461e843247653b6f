import { beforeEach, describe, expect, test } from "vitest";
import { compareRoots, readHint } from "../../../../core/broker/control/learning.ts";
import { forgetPeer } from "../../../../core/broker/control/learnt.ts";
import type { DemandGroup } from "../../../../core/demand/demand.ts";
import { bucketOf, withBucketBumped } from "../../../../core/demand/publish.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import { type LinkState, newLink } from "../../../../core/link/link.ts";
import { aGroup } from "../../../support/a-connector.ts";
import { controlling } from "../../../support/controlling.ts";
import { sha256 } from "../../../support/hash.ts";

const link = linkId(brokerId("a"), "to-b");
const queue = "queue://orders";
const other = "topic://prices";
const pattern = "queue://o.>";

let world: Awaited<ReturnType<typeof controlling>>;
beforeEach(async () => {
  world = await controlling();
  await linkIs("started");
});

const linkIs = async (state: LinkState) => {
  const stored = await world.brain.read("link", "", link);
  const answeredAt = state === "started" ? 1 : 0;
  await world.brain.write("link", "", link, { ...newLink(link), state, answeredAt }, stored?.revision ?? 0);
};
/** The peer wants (or, without a version, has forgotten) a destination; its root says so. */
const theyPublish = async (
  destination: string,
  version: number | undefined,
  tableId = "t1",
  groups: readonly DemandGroup[] = [aGroup("", { origin: "b" })],
) => {
  const bucket = bucketOf(destination, sha256);
  const stored = await world.theirs.read("demand", bucket, destination);
  const record = version === undefined ? undefined : { destination, version, groups, announced: version };
  await world.theirs.write("demand", bucket, destination, record, stored?.revision ?? 0);
  const root = await world.theirs.read("root", "", "root");
  await world.theirs.write("root", "", "root", withBucketBumped(root?.value, bucket, tableId), root?.revision ?? 0);
};
/** As control does: what comes afterwards comes once everything was judged. */
const compare = async () => {
  const { destinations, afterwards } = await compareRoots(world.ports, world.broker, link, 2);
  await afterwards?.([]);
  return destinations.toSorted();
};
const hint = (destination: string) =>
  readHint(world.ports, world.broker, { event: "hint", from: brokerId("b"), destination, version: 1 }).then(
    ({ destinations }) => destinations,
  );
const learnt = async (destination: string) => {
  const scope = destination.includes(">") ? "patterns" : bucketOf(destination, sha256);
  return world.brain.read("learnt", `${link}#${scope}`, destination);
};

describe("a comparison of roots", () => {
  test("reads what differs and nothing twice", async () => {
    await theyPublish(queue, 5);
    await theyPublish(other, 7);
    expect([await compare(), await compare()]).toEqual([[queue, other], []]);
    await theyPublish(other, 8);
    expect(await compare()).toEqual([other]);
  });

  test.for([queue, pattern])("removes what the peer doesn't list any more: %s", async (destination) => {
    await theyPublish(destination, 5);
    await compare();
    await theyPublish(destination, undefined);
    expect(await compare()).toEqual([destination]);
    expect(await learnt(destination)).toBeUndefined();
  });

  test("takes anew what was excluded for a while, though whoever forgot it died before it was done", async () => {
    await theyPublish(queue, 5);
    await compare();
    const { broker } = world;
    const connectors = broker.slice.connectors.map((one) => ({ ...one, excludedDestinations: [queue] }));
    await forgetPeer(world.brain, link);
    expect((await compareRoots(world.ports, { ...broker, slice: { ...broker.slice, connectors } }, link, 2)).destinations).toEqual([queue]);
    await forgetPeer(world.brain, link);
    expect(await compare()).toEqual([queue]);
    expect((await learnt(queue))?.value.groups).toHaveLength(1);
  });

  test("keeps what the peer lists again while it is being forgotten", async () => {
    await theyPublish(queue, 5);
    await compare();
    await theyPublish(queue, undefined);
    const { brain } = world;
    const write: typeof brain.write = async (...asked) => {
      const answer = await brain.write(...asked);
      const [kind, , , value] = asked;
      if (kind !== "learnt" || !value || !("groups" in value) || value.groups.length > 0) return answer;
      await theyPublish(queue, 6);
      await readHint({ ...world.ports, brain }, world.broker, { event: "hint", from: brokerId("b"), destination: queue, version: 6 });
      return answer;
    };
    const { afterwards } = await compareRoots({ ...world.ports, brain: { ...brain, write } }, world.broker, link, 2);
    await afterwards?.([]).catch(() => {});
    expect((await learnt(queue))?.value).toMatchObject({ version: 6 });
  });

  test("judges all of it anew when the peer's table was restored, older versions included", async () => {
    await theyPublish(queue, 9);
    await compare();
    await theyPublish(queue, 5, "restored");
    expect(await compare()).toEqual([queue]);
    expect((await learnt(queue))?.value).toMatchObject({ version: 5, tableId: "restored" });
  });

  test.for(["hint", "comparison"])("a slow %s doesn't bring back what the peer's table had before it was restored", async (kind) => {
    await theyPublish(queue, 9);
    const { peers } = world.ports;
    const whileAsked = <A extends readonly unknown[], T>(ask: (...asked: A) => Promise<T>) => {
      return async (...asked: A): Promise<T> => {
        const answer = await ask(...asked);
        await theyPublish(queue, 5, "restored");
        await compare();
        return answer;
      };
    };
    const slow = { ...world.ports, peers: { ...peers, item: whileAsked(peers.item), bucket: whileAsked(peers.bucket) } };
    if (kind === "hint")
      await readHint(slow, world.broker, { event: "hint", from: brokerId("b"), destination: queue, version: 9 }).catch(() => {});
    else
      await compareRoots(slow, world.broker, link, 2)
        .then(({ afterwards }) => afterwards?.([]))
        .catch(() => {});
    expect((await learnt(queue))?.value).toMatchObject({ version: 5, tableId: "restored" });
  });

  test("of a link that waits for its peer reads nothing, so that it is all new when the link comes up", async () => {
    await theyPublish(queue, 5);
    await linkIs("waiting for peer");
    expect(await compareRoots(world.ports, world.broker, link, 2)).toMatchObject({
      destinations: [],
      dropped: expect.stringContaining("waits"),
    });
    await linkIs("started");
    expect(await compare()).toEqual([queue]);
  });

  test("nor of one whose peer's lease has run out though no probe has noticed", async () => {
    await theyPublish(queue, 5);
    const dropped = await compareRoots(world.ports, world.broker, link, 1 + 1_000 * world.slice.peerLease);
    expect(dropped).toMatchObject({ destinations: [], dropped: expect.stringContaining("waits") });
    expect(await compare()).toEqual([queue]);
  });

  test("after the peer fell silent judges all of it anew", async () => {
    await theyPublish(queue, 5);
    await theyPublish(pattern, 6);
    await compare();
    expect((await forgetPeer(world.brain, link)).toSorted()).toEqual([pattern, queue]);
    expect(await compare()).toEqual([pattern, queue]);
  });

  test("finds what a hint taught though the peer's restored table never had its bucket", async () => {
    await theyPublish(queue, 5);
    await compare();
    await theyPublish(other, 7);
    await hint(other);
    const root = await world.theirs.read("root", "", "root");
    await world.theirs.write("root", "", "root", { tableId: "restored", buckets: { [bucketOf(queue, sha256)]: 1 } }, root?.revision ?? 0);
    await theyPublish(queue, 5, "restored");
    const stored = await world.theirs.read("demand", bucketOf(other, sha256), other);
    await world.theirs.write("demand", bucketOf(other, sha256), other, undefined, stored?.revision ?? 0);
    expect(await compare()).toEqual([queue, other]);
    expect(await learnt(other)).toBeUndefined();
  });

  test("with a peer that doesn't answer is dropped with its reason, and what was seen stays", async () => {
    await theyPublish(queue, 5);
    const silent = { ...world.ports.peers, bucket: () => Promise.reject(new Error("timed out")) };
    const dropped = await compareRoots({ ...world.ports, peers: silent }, world.broker, link, 2);
    expect(dropped).toMatchObject({ dropped: expect.stringContaining("timed out") });
    expect(await compare()).toEqual([queue]);
  });
});

describe("a hint", () => {
  test.for([
    { rule: "before any comparison", compared: false },
    { rule: "in a bucket that no comparison has seen", compared: true },
  ])("teaches what is judged again with all that the peer wants: $rule", async ({ compared }) => {
    if (compared) await theyPublish(other, 7).then(compare);
    await theyPublish(queue, 5);
    await hint(queue);
    expect(await forgetPeer(world.brain, link)).toEqual(compared ? [other, queue] : [queue]);
  });

  test("of a version that is known and was told changes nothing", async () => {
    await theyPublish(queue, 5);
    expect(await hint(queue)).toEqual([queue]);
    const known = await learnt(queue);
    if (known) await world.brain.write("learnt", `${link}#${bucketOf(queue, sha256)}`, queue, { ...known.value, told: 5 }, known.revision);
    expect(await hint(queue)).toEqual([]);
  });

  test("of one whose effect the peer wasn't told of yet is judged again", async () => {
    await theyPublish(queue, 5);
    expect([await hint(queue), await hint(queue)]).toEqual([[queue], [queue]]);
  });

  test.for([[[5, 6]], [[6, 5]], [[6, 7, 5]]])("whose read ends after a newer one's leaves the newest: %j", async ([versions = []]) => {
    for (const version of versions) {
      const record = { destination: queue, version, groups: [aGroup("", { origin: "b", count: version })], announced: version };
      const ports = { ...world.ports, peers: { ...world.ports.peers, item: async () => ({ tableId: "t1", record }) } };
      await readHint(ports, world.broker, { event: "hint", from: brokerId("b"), destination: queue, version });
    }
    const newest = Math.max(...versions);
    expect((await learnt(queue))?.value).toMatchObject({ version: newest, groups: [{ count: newest }] });
  });

  describe("of what is for others to serve", () => {
    const [far, near] = [aGroup("cb", { origin: "c" }), aGroup("", { origin: "b" })];
    test.for([
      { rule: "is remembered, and nothing is judged", before: [], judged: false },
      { rule: "nor after more of the kind", before: [{ groups: [far, far], told: 4 }], judged: false },
      { rule: "is judged after what was ours", before: [{ groups: [near], told: 4 }], judged: true },
      { rule: "is judged as long as what came before wasn't", before: [{ groups: [far, far], told: 0 }], judged: true },
    ])("$rule", async ({ before, judged }) => {
      const scope = `${link}#${bucketOf(queue, sha256)}`;
      for (const { groups, told } of before)
        await world.brain.write("learnt", scope, queue, { link, destination: queue, version: 4, tableId: "t1", groups, told }, 0);
      await theyPublish(queue, 5, "t1", [far]);
      expect([await hint(queue), await hint(queue)]).toEqual(judged ? [[queue], [queue]] : [[], []]);
      expect((await learnt(queue))?.value).toMatchObject({ version: 5, groups: [far], told: judged ? 0 : 5 });
    });
  });

  test("of a destination that the peer doesn't want changes nothing", async () => {
    await theyPublish(queue, 5);
    expect(await hint("queue://unknown")).toEqual([]);
  });

  test("from a broker that no link leads to reads nothing", async () => {
    const asked = readHint(world.ports, world.broker, { event: "hint", from: brokerId("z"), destination: queue, version: 1 });
    expect(await asked).toEqual({ destinations: [] });
  });
});
