import { staticKeys } from "../../config/permitted.ts";
import { type BrokerSlice, sharedPart } from "../../config/slice.ts";
import type { BrokerId } from "../../ids.ts";
import { advisoryFilterOf } from "../../link/advisory-filter.ts";
import { isCounting } from "../../link/closing.ts";
import { decideAnswer, decideProbe, isWorthProbing, judgeHello } from "../../link/handshake.ts";
import { newLink } from "../../link/link.ts";
import type { Hello } from "../../message/hello.ts";
import type { OutgoingEvent } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem } from "../records.ts";
import type { Touched } from "./applying.ts";
import { crossed, probeAgain } from "./breakers.ts";
import { noteFirstRun } from "./first-runs.ts";
import { forgetPeer } from "./learnt.ts";
import type { ControlPorts } from "./ports.ts";
import { withRemoval } from "./removal.ts";

/** Owner's side: sends the link's probe. A peer that fell silent is no candidate any more, and will be read whole when it is back. */
export const probeLink = async (
  ports: ControlPorts,
  { slice, keys }: BrokerItem,
  { link, heard, opened }: Extract<ControlEvent, { event: "probe" }>,
  now: number,
): Promise<Touched> => {
  const connector = slice.connectors.find((one) => one.link === link && one.from === slice.broker);
  if (!connector) return { destinations: [] };
  const stored = await ports.brain.read("link", "", link);
  if (!heard && isCounting(stored?.value, now)) return { destinations: [] };
  if (opened !== undefined && opened !== stored?.value.openedAt) return { destinations: [] };
  const { record: probed, fellSilent } = decideProbe(stored?.value, link, slice.peerLease, now);
  const record = await withRemoval(ports, connector, probed, now);
  await ports.probes.send({
    link,
    from: slice.broker,
    to: connector.to,
    digest: ports.identity.hash(sharedPart(slice)),
    advisoryFilter: advisoryFilterOf(connector),
    keys,
    counter: now,
    ...(record.removal?.state === "stopped" && { stopped: true }),
  });
  return {
    destinations: fellSilent ? await forgetPeer(ports.brain, link) : [],
    afterwards: async () => {
      await writeJudged(ports.brain, "link", "", link, record, stored?.revision ?? 0);
      if (opened !== undefined) await probeAgain(ports, record, now);
    },
  };
};

/** Receiver's side: a probe crossed. Its keys are kept, its owner is answered, repeated or not. */
export const welcome = async (ports: ControlPorts, broker: BrokerItem, hello: Hello, now: number): Promise<Touched> => {
  const { slice } = broker;
  const stored = await ports.brain.read("hello", "", hello.link);
  const verdict = judgeHello(hello, slice.broker, slice.connectors, stored?.value.hello);
  if (verdict.verdict === "ignore") return { destinations: [] };
  await writeJudged(ports.brain, "hello", "", hello.link, { hello, heardAt: now }, stored?.revision ?? 0);
  await keepKeys(ports, hello);
  const digest = ports.identity.hash(sharedPart(slice));
  await ports.events.send([
    { to: hello.from, event: { event: "hello-answer", link: hello.link, counter: hello.counter, digest } },
    ...(await probesBack(ports, slice, hello.from, now)),
  ]);
  return { destinations: [] };
};

/**
 * A peer that is there now: our own links to it that still wait needn't wait for the next tick. What is asked for is noted before: else each
 * hello would ask for a probe of every such link as long as the first ones wait their turn. Dying in between leaves it to the tick.
 */
const probesBack = async (
  { brain }: ControlPorts,
  { broker, connectors }: BrokerSlice,
  peer: BrokerId,
  now: number,
): Promise<OutgoingEvent[]> => {
  const own = connectors.filter(({ from, to }) => from === broker && to === peer);
  const asked = own.map(async ({ link }): Promise<OutgoingEvent[]> => {
    const { value = newLink(link), revision = 0 } = (await brain.read("link", "", link)) ?? {};
    if (!isWorthProbing(value, now)) return [];
    const noted = await brain.write("link", "", link, { ...value, probedAt: now }, revision);
    return noted === "moved" ? [] : [{ to: broker, event: { event: "probe", link, heard: true } }];
  });
  return (await Promise.all(asked)).flat();
};

const keepKeys = async ({ brain }: ControlPorts, { from, keys }: Hello): Promise<void> => {
  const stored = await brain.read("broker", "", "broker");
  if (!stored || JSON.stringify(stored.value.peerKeys[from]) === JSON.stringify(keys)) return;
  const peerKeys = { ...stored.value.peerKeys, [from]: keys };
  await writeJudged(brain, "broker", "", "broker", { ...stored.value, peerKeys }, stored.revision);
};

/** Owner's side: the probe came back. A link that came up reads its peer's demand at once, and serves again what it includes statically. */
export const hearAnswer = async (
  ports: ControlPorts,
  broker: BrokerItem,
  event: Extract<ControlEvent, { event: "hello-answer" }>,
  now: number,
): Promise<Touched> => {
  const { slice } = broker;
  const connector = slice.connectors.find(({ link, from }) => link === event.link && from === slice.broker);
  if (!connector) return { destinations: [] };
  const stored = await ports.brain.read("link", "", event.link);
  const digest = ports.identity.hash(sharedPart(slice));
  const { record, cameUp } = decideAnswer(stored?.value, event.link, event, { digest, peerLease: slice.peerLease }, now);
  if (cameUp) await forgetPeer(ports.brain, event.link);
  const ran = await noteFirstRun(ports.brain, record, connector, now);
  const heard = record.answeredAt === event.counter ? await crossed(ports, broker, ran, connector, now) : ran;
  await writeJudged(ports.brain, "link", "", event.link, heard, stored?.revision ?? 0);
  if (!cameUp) return { destinations: [] };
  await ports.events.send([{ to: slice.broker, event: { event: "compare", link: event.link } }]);
  return { destinations: staticKeys(connector) };
};
