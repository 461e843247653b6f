import type { BrokerSlice } from "../config/slice.ts";
import type { PublicKey } from "../message/hello.ts";
import type { Brain, Events } from "../ports.ts";
import { writeJudged } from "./contended.ts";

/**
 * A deployment's last step: the slice and our public key into the broker item, then control is told. Peers' keys stay.
 * Crash window: CloudFormation repeats the request, which repeats both.
 */
export const keepConfiguration = async (
  { brain, events }: { readonly brain: Brain; readonly events: Events },
  slice: BrokerSlice,
  key: PublicKey,
  now: number,
): Promise<void> => {
  const stored = await brain.read("broker", "", "broker");
  const older = (stored?.value.keys ?? []).filter(({ kid }) => kid !== key.kid);
  const item = { slice, version: now, keys: [key, ...older], peerKeys: stored?.value.peerKeys ?? {} };
  await writeJudged(brain, "broker", "", "broker", item, stored?.revision ?? 0);
  await events.send([{ to: slice.broker, event: { event: "deployed", version: now } }]);
};
