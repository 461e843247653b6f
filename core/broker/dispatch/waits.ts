import { destinationKey } from "../../destination/destination.ts";
import type { BrokerId } from "../../ids.ts";
import type { OutgoingEvent } from "../../ports.ts";
import { lookWhenDue } from "../looks.ts";
import type { Delivered } from "./carrying.ts";

/** A target that refused some of a batch has no open breaker whose closing would tell. */
const soon = 10_000;

/** What was put to rest until a certain time is looked at then, and what a target refused soon. */
export const looksFor = (delivered: readonly Delivered[], self: BrokerId, now: number): readonly OutgoingEvent[] => {
  const waiting = delivered.flatMap(({ end, load: { plan } }) => {
    if (end !== "carried" || plan.plan !== "rest") return [];
    const until = plan.reason === "target-refused" ? now + soon : plan.until;
    return until === undefined ? [] : [{ destination: plan.destination, until }];
  });
  return [...Map.groupBy(waiting, ({ destination }) => destinationKey(destination)).values()].flatMap((its) => {
    const [{ destination } = { destination: undefined }] = its;
    return destination ? lookWhenDue(self, { to: "queue", destination }, Math.min(...its.map(({ until }) => until)), now) : [];
  });
};
