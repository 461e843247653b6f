import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import type { BrokerId, LinkId } from "../../ids.ts";
import { closedLink, isStillClosing } from "../../link/closing.ts";
import { isClosed } from "../../link/link.ts";
import type { Hello } from "../../message/hello.ts";
import type { Brain, Stored } from "../../ports.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem, EffectiveRecord, HelloRecord } from "../records.ts";
import type { Touched } from "./applying.ts";
import { forgetPeer } from "./learnt.ts";
import type { ControlPorts } from "./ports.ts";
import { topicsSubscribedBy } from "./subscribing.ts";
import { routedOver } from "./views.ts";

/**
 * A peer is being destroyed: our links to it stop, so that messages rest here, and what it told us to be in effect counts no more.
 * An answer to a later probe starts them again. Crash window: a repeated event repeats all.
 */
export const partFrom = async (
  { brain, events }: ControlPorts,
  { slice }: BrokerItem,
  { from, counter }: Extract<ControlEvent, { event: "closing" }>,
  now: number,
): Promise<Touched> => {
  const hellos = await hellosOf(brain, from);
  const owned = slice.connectors.filter((one) => one.from === slice.broker && one.to === from).map(({ link }) => link);
  if (!isStillClosing(counter, hellos.map(helloOf))) {
    if (hellos.some(({ value: { hello } }) => hello.counter > counter && !hello.stopped))
      await probeStopped({ brain, events }, slice, owned);
    return { destinations: [], dropped: `broker ${from} was heard since` };
  }
  // Its links to us stop with it: should it live on, its next hello says so.
  for (const { id, value, revision } of hellos)
    await writeJudged(brain, "hello", "", id, { ...value, hello: { ...value.hello, counter, stopped: true } }, revision);
  const served = new Set<DestinationKey>();
  for (const link of owned) {
    const stored = await brain.read("link", "", link);
    await writeJudged(brain, "link", "", link, closedLink(stored?.value, link, now), stored?.revision ?? 0);
    for (const key of await servedBy(brain, link)) served.add(key);
  }
  const ended = slice.connectors.filter((one) => one.from === from && one.to === slice.broker).map(({ link }) => link);
  const effective = await effectiveBy(brain, ended);
  // What it put into effect after a hello of its next life is that one's.
  if (!isStillClosing(counter, (await hellosOf(brain, from)).map(helloOf))) throw new Contended(`hello of ${from}`);
  for (const { id, value, revision } of effective) await writeJudged(brain, "effective", id, value.link, undefined, revision);
  return { destinations: [...served] };
};

/** Whoever was slow to hear of its end may have stopped our links after it was heard again, and nobody would probe them for ten minutes. */
const probeStopped = async (
  { brain, events }: Pick<ControlPorts, "brain" | "events">,
  { broker }: BrokerItem["slice"],
  links: readonly LinkId[],
): Promise<void> => {
  const found = await Promise.all(links.map((link) => brain.read("link", "", link)));
  const stopped = links.filter((_, index) => isClosed(found[index]?.value));
  await events.send(stopped.map((link) => ({ to: broker, event: { event: "probe", link, heard: true } })));
};

/**
 * What its peer wanted, concrete and pattern, which we told our other peers in turn; whatever is routed by the link; and topics whose
 * subscription to it nobody wants any more and only its damping keeps.
 */
const servedBy = async (brain: Brain, link: LinkId): Promise<readonly DestinationKey[]> => {
  const learnt = await forgetPeer(brain, link);
  const routed = await routedOver(brain, link);
  return [...learnt, ...routed.map(destinationKey), ...(await topicsSubscribedBy(brain, link))];
};

const hellosOf = async (brain: Brain, from: BrokerId): Promise<readonly Stored<HelloRecord>[]> =>
  (await brain.list("hello", "")).filter(({ value }) => value.hello.from === from);
const helloOf = ({ value }: Stored<HelloRecord>): Hello => value.hello;

/** By destination. The peer's next life has to say anew what it has put into effect: until then nobody here is ready. */
const effectiveBy = async (brain: Brain, links: readonly LinkId[]): Promise<readonly Stored<EffectiveRecord>[]> => {
  const root = await brain.read("root", "", "root");
  const found: Stored<EffectiveRecord>[] = [];
  for (const bucket of Object.keys(root?.value.buckets ?? {})) {
    for (const { id } of await brain.list("demand", bucket)) {
      const its = (await brain.list("effective", id)).filter(({ value }) => links.includes(value.link));
      found.push(...its.map((stored) => ({ ...stored, id })));
    }
  }
  return found;
};
