import type { DestinationKey } from "../../destination/destination.ts";
import type { Events } from "../../ports.ts";
import type { Identity } from "../identity.ts";

/** Orders a judgement by what will be then. `asked`: somebody sent to the destination. */
export const judgeAgain = async (
  { events, identity }: { readonly events: Events; readonly identity: Pick<Identity, "self"> },
  destination: DestinationKey,
  asked: boolean,
  seconds: number,
): Promise<void> => {
  const event = asked ? ({ event: "create", destination } as const) : ({ event: "judge", destination } as const);
  await events.send([{ to: identity.self, event, delaySeconds: Math.min(Math.max(seconds, 1), 900) }]);
};
