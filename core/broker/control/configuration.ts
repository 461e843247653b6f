import type { BrokerSlice } from "../../config/slice.ts";
import type { PublicKey } from "../../message/hello.ts";
import type { Brain, Events } from "../../ports.ts";
import { Contended } from "../contended.ts";

const attempts = 10;

/**
 * A deployment's last step: the slice and our public key into the broker item, then control is told. Peers' keys stay.
 * Crash window: the deployment fails and is repeated, which repeats both. A hello that brings a key meanwhile doesn't fail it.
 */
export const keepConfiguration = async (
  { brain, events }: { readonly brain: Brain; readonly events: Events },
  slice: BrokerSlice,
  key: PublicKey,
  now: number,
): Promise<void> => {
  for (let attempt = 1; !(await write(brain, slice, key, now)); attempt += 1) {
    if (attempt === attempts) throw new Contended("broker");
  }
  await events.send([{ to: slice.broker, event: { event: "deployed", version: now } }]);
};

const write = async (brain: Brain, slice: BrokerSlice, key: PublicKey, now: number): Promise<boolean> => {
  const stored = await brain.read("broker", "", "broker");
  const older = (stored?.value.keys ?? []).filter(({ kid }) => kid !== key.kid);
  const item = { slice, version: now, keys: [key, ...older], peerKeys: stored?.value.peerKeys ?? {} };
  return (await brain.write("broker", "", "broker", item, stored?.revision ?? 0)) === "written";
};
