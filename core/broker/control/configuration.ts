import type { BrokerSlice } from "../../config/slice.ts";
import type { PublicKey } from "../../message/hello.ts";
import type { Brain, Events } from "../../ports.ts";
import { changeBroker } from "../broker-item.ts";

/**
 * A deployment's last step: the slice and our public key into the broker item, then control is told. Peers' keys stay; a broker that was
 * closing is open again. Crash window: the deployment fails and is repeated, which repeats both.
 */
export const keepConfiguration = async (
  { brain, events }: { readonly brain: Brain; readonly events: Events },
  slice: BrokerSlice,
  key: PublicKey,
  now: number,
): Promise<void> => {
  await changeBroker(brain, (stored) => {
    const older = (stored?.keys ?? []).filter(({ kid }) => kid !== key.kid);
    return { slice, version: now, keys: [key, ...older], peerKeys: stored?.peerKeys ?? {} };
  });
  await events.send([{ to: slice.broker, event: { event: "deployed", version: now } }]);
};
