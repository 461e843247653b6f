import { describe, expect, test } from "vitest";
import type { DemandRecord, DemandRoot } from "../../../core/demand/demand.ts";
import { brokerId } from "../../../core/ids.ts";
import type { Brain, PeerDemand } from "../../../core/ports.ts";
import { eu } from "../../support/worlds/world.ts";

/** What `us` can read of its peer `eu`, whose brain is `published`. */
export type OpenPeerDemand = () => Promise<{ readonly published: Brain; readonly peers: PeerDemand }>;

const root: DemandRoot = { tableId: "t1", buckets: { "0a": 5 } };
const demand = (destination: string, version = 5): DemandRecord => ({
  destination,
  version,
  groups: [{ origin: eu, group: "0", path: [], priority: 0, count: 2 }],
  announced: version,
});

export const peerDemandContract = (name: string, open: OpenPeerDemand) =>
  describe(`${name} keeps the contract of peer demand`, () => {
    const filled = async () => {
      const opened = await open();
      await opened.published.write("root", "", "root", root, 0);
      for (const key of ["queue://a", "queue://b"]) await opened.published.write("demand", "0a", key, demand(key), 0);
      await opened.published.write("demand", "0b", "queue://c", demand("queue://c"), 0);
      return opened;
    };

    test("the root is read as it was published", async () => {
      const { peers } = await filled();
      expect(await peers.root(eu)).toEqual(root);
    });

    test("a bucket holds its own demand and no other's", async () => {
      const { peers } = await filled();
      expect(await peers.bucket(eu, "0a")).toEqual([demand("queue://a"), demand("queue://b")]);
      expect(await peers.bucket(eu, "ff")).toEqual([]);
    });

    test("an item comes with the identity of its table, also where there is no demand", async () => {
      const { peers } = await filled();
      expect(await peers.item(eu, "0a", "queue://b")).toEqual({ tableId: "t1", record: demand("queue://b") });
      expect(await peers.item(eu, "0a", "queue://none")).toEqual({ tableId: "t1", record: undefined });
    });

    test("a peer that never published has no root and no items", async () => {
      const { peers } = await open();
      expect(await peers.root(eu)).toBeUndefined();
      expect(await peers.item(eu, "0a", "queue://a")).toBeUndefined();
    });

    test("what was written a moment ago is read", async () => {
      const { published, peers } = await filled();
      const { revision = 0 } = (await published.read("demand", "0a", "queue://a")) ?? {};
      await published.write("demand", "0a", "queue://a", demand("queue://a", 6), revision);
      expect((await peers.item(eu, "0a", "queue://a"))?.record?.version).toBe(6);
    });

    test("a broker that isn't there throws", async () => {
      const { peers } = await filled();
      await expect(peers.root(brokerId("nobody"))).rejects.toThrow("nobody");
    });
  });
