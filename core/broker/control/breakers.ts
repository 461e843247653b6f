import type { NetworkConnector } from "../../config/slice.ts";
import type { LinkId } from "../../ids.ts";
import { closeBreaker, closesBreaker, openBreaker, probeDelay, withBreaker } from "../../link/breaker.ts";
import { isHeld, type LinkRecord, newLink } from "../../link/link.ts";
import type { Brain } from "../../ports.ts";
import { changeBroker } from "../broker-item.ts";
import { writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import { lookAt } from "../looks.ts";
import type { BrokerItem } from "../records.ts";
import type { Touched } from "./applying.ts";
import { lateMarks, nothingSeen, startPass } from "./passes.ts";
import type { ControlPorts } from "./ports.ts";
import { orderRedrive } from "./redrives.ts";
import { routedOver } from "./views.ts";

/**
 * Dispatch says that a link didn't take what it was handed: from now on what would go there rests, and the link is probed until one
 * crosses. The broker item goes last, so that a repeated event repeats it.
 */
export const breakLink = async (
  ports: ControlPorts,
  { slice }: BrokerItem,
  { link, at }: Extract<ControlEvent, { event: "link-failed" }>,
): Promise<Touched> => {
  const { brain } = ports;
  if (!slice.connectors.some((one) => one.link === link && one.from === slice.broker)) return { destinations: [] };
  const stored = await brain.read("link", "", link);
  const opened = openBreaker(stored?.value ?? newLink(link), at);
  if (opened) await writeJudged(brain, "link", "", link, opened, stored?.revision ?? 0);
  const openedAt = opened?.openedAt ?? stored?.value.openedAt;
  if (openedAt === undefined) return { destinations: [], dropped: "a probe has crossed since" };
  await noteBreaker(brain, link, true);
  if (opened) await probeAgain(ports, opened, at);
  return { destinations: [] };
};

/** The next probe for a breaker that is open, should no other have crossed by then. */
export const probeAgain = async ({ events, identity }: ControlPorts, record: LinkRecord, now: number): Promise<void> => {
  const { link, openedAt } = record;
  if (openedAt === undefined) return;
  const delaySeconds = Math.ceil(probeDelay(record, now) / 1_000);
  // The tick probes each minute anyway.
  if (delaySeconds < 60) await events.send([{ to: identity.self, event: { event: "probe", link, opened: openedAt }, delaySeconds }]);
};

/**
 * A probe crossed: a breaker that was open when it left closes, and what rested moves on. What waits for the link alone goes first,
 * whether a breaker was open or SNS gave up on it. Answers the record to write.
 */
export const crossed = async (
  ports: ControlPorts,
  { breakers = [] }: BrokerItem,
  record: LinkRecord,
  connector: NetworkConnector,
  now: number,
): Promise<LinkRecord> => {
  const { brain, events, depths, identity, longest } = ports;
  const { link, answeredAt } = record;
  const shelter = { to: "undelivered", link } as const;
  if (!isHeld(record, connector) && (await depths.visible(shelter)) > 0) await startPass(ports, shelter, nothingSeen, now);
  const closes = closesBreaker(record, answeredAt, breakers.includes(link));
  if (closes) await noteBreaker(brain, link, false);
  await orderRedrive(ports, connector, record, now);
  if (!closes) return record;
  const waiting = (await routedOver(brain, link)).filter(({ kind }) => kind === "queue");
  const looks = waiting.flatMap((destination) =>
    [0, lateMarks(longest)].map((seconds) => lookAt(identity.self, { to: "queue", destination }, seconds)),
  );
  await events.send(looks);
  return closeBreaker(record, now);
};

const noteBreaker = (brain: Brain, link: LinkId, isOpen: boolean): Promise<void> =>
  changeBroker(brain, (stored) => {
    if (!stored || (stored.breakers ?? []).includes(link) === isOpen) return undefined;
    return { ...stored, breakers: withBreaker(stored.breakers ?? [], link, isOpen) };
  });
