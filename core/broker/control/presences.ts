import type { Brain } from "../../ports.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import { writeJudged } from "../contended.ts";
import { presenceId, presenceScope } from "./facts.ts";

/** Writes that somebody is there. Answers whether it stood there that he is. */
export const notePresent = async (brain: Brain, presence: PresenceRecord): Promise<boolean> => {
  const [scope, id] = rowOf(presence);
  const stored = await brain.read("presence", scope, id);
  await writeJudged(brain, "presence", scope, id, presence, stored?.revision ?? 0);
  return stored !== undefined;
};

/** Takes somebody away, unless who stands there is to stay. */
export const noteAbsent = async (
  brain: Brain,
  presence: PresenceRecord,
  stays: (standing: PresenceRecord) => boolean = () => false,
): Promise<void> => {
  const [scope, id] = rowOf(presence);
  const stored = await brain.read("presence", scope, id);
  if (stored && !stays(stored.value)) await writeJudged(brain, "presence", scope, id, undefined, stored.revision);
};

const rowOf = (presence: PresenceRecord) => [presenceScope(presence.destination), presenceId(presence)] as const;
