import type { Brain } from "../../ports.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import { writeJudged } from "../contended.ts";
import { presenceId, presenceScope } from "./facts.ts";

/** Writes that somebody is there, or (without a value) that he isn't any more, unless it is for another who stands there. Answers whether any did. */
export const writePresence = async (
  brain: Brain,
  at: PresenceRecord,
  value: PresenceRecord | undefined,
  unless: (standing: PresenceRecord) => boolean = () => false,
): Promise<boolean> => {
  const [scope, id] = [presenceScope(at.destination), presenceId(at)];
  const stored = await brain.read("presence", scope, id);
  if (stored ? !unless(stored.value) : value) await writeJudged(brain, "presence", scope, id, value, stored?.revision ?? 0);
  return stored !== undefined;
};
