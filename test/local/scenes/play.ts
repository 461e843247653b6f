import { beforeAll, describe, test, vi } from "vitest";
import { useNetwork } from "../../client/a-network.ts";
import { networkFor, placed, type Scene } from "./scene.ts";
import { stageOf } from "./stage.ts";

/** Boots one network and plays all scenes on it side by side, for most of their time is waiting. */
export const playAll = (title: string, table: readonly Scene[]): void => {
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
  const scenes = placed(table);
  const network = useNetwork(networkFor(scenes), undefined, false);
  const place = (at: string) => {
    const found = network.running().brokers.find(({ id }) => id === at);
    if (!found) throw new Error(`the scene's ways lead to no broker ${at}`);
    return found;
  };
  const ground = { ...network, network: "test", place, tick: (at: string) => network.running().tickNow(at) };
  // Brokers deployed first found no peer: they try again at a tick.
  beforeAll(() => Promise.all(network.running().brokers.map(({ id }) => network.running().tickNow(id))));
  describe.concurrent(title, () => {
    test.for(scenes)("$rule", async (scene, { expect }) => scene.play(stageOf(ground, scene, expect)));
  });
};
