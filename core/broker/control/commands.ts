import { staticKeys } from "../../config/permitted.ts";
import { newLink } from "../../link/link.ts";
import { writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem } from "../records.ts";
import type { Touched } from "./applying.ts";
import { noteFirstRun } from "./first-runs.ts";
import { forgetPeer } from "./learnt.ts";
import type { ControlPorts } from "./ports.ts";

/** An operator's clock may be ahead of ours; a counter far ahead would outdo every later command. */
const clocksDiffer = 3_600_000;

/**
 * Starts or stops a link of ours: what it carries is judged anew. A command older than the last one says nothing; an equal one repeats all.
 * Copies that are under way arrive; a stopped link's SNS subscriptions go when their damping is over.
 */
export const obey = async (
  { brain }: ControlPorts,
  { slice }: BrokerItem,
  { link, run, counter }: Extract<ControlEvent, { event: "command" }>,
  now: number,
): Promise<Touched> => {
  const own = slice.connectors.filter(({ from }) => from === slice.broker);
  const connector = own.find((one) => one.link === link);
  if (!connector) {
    const known = own.length === 0 ? "it has none" : `it has ${own.map((one) => one.link).join(", ")}`;
    return { destinations: [], dropped: `broker ${slice.broker} owns no link ${link}: ${known}` };
  }
  if (connector.removed)
    return { destinations: [], dropped: `link ${link} is being removed: to keep it, deploy its connector without "removed"` };
  if (counter > now + clocksDiffer)
    return { destinations: [], dropped: `counter ${counter} lies in the future: give a clock in milliseconds, now ${now}` };
  const stored = await brain.read("link", "", link);
  if (stored?.value.commanded && counter < stored.value.commanded.counter)
    return { destinations: [], dropped: "a later command was given" };
  const commanded = { ...(stored?.value ?? newLink(link)), commanded: { run, counter } };
  await writeJudged(brain, "link", "", link, await noteFirstRun(brain, commanded, connector, now), stored?.revision ?? 0);
  return { destinations: [...staticKeys(connector), ...(await forgetPeer(brain, link))] };
};
