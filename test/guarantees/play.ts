import type { Played } from "./guarantee.ts";
import type { Moment } from "./moments.ts";
import { playBridge } from "./play-bridge.ts";
import { playNetwork } from "./play-network.ts";
import { playOnce } from "./play-once.ts";
import type { Scene } from "./scenes.ts";

/** Plays one message through a scene, with what befalls it there, if anything, until all is quiet. */
export const play = async (scene: Scene, moment?: Moment): Promise<Played> => {
  switch (scene.plays) {
    case "network":
      return playNetwork(scene, moment);
    case "bridge":
      return playBridge(scene, moment);
    case "once":
      return playOnce(moment);
    default:
      return scene satisfies never;
  }
};
