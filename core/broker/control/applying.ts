import type { DestinationKey } from "../../destination/destination.ts";
import type { ControlEvent } from "../events.ts";
import type { BrokerItem } from "../records.ts";
import { breakLink } from "./breakers.ts";
import { partFrom } from "./closing.ts";
import { obey } from "./commands.ts";
import { applyConnection, expireConnection } from "./connections.ts";
import { takeUp } from "./deployed.ts";
import { discover } from "./discovering.ts";
import { unsubscribe } from "./durables.ts";
import { hearAnswer, probeLink, welcome } from "./handshake.ts";
import { compareRoots, readHint } from "./learning.ts";
import { lookInto } from "./looking.ts";
import { passedPrivate } from "./own-queues.ts";
import { closePass } from "./pass-results.ts";
import type { ControlPorts } from "./ports.ts";
import { noteEffective } from "./telling.ts";

/** One event of the control queue; `sentAt` is its SentTimestamp. */
export interface ControlRecord {
  readonly ref: string;
  readonly event: ControlEvent;
  readonly sentAt: number;
}

/** Destinations that an event makes worth judging, those that somebody sent to apart. */
export interface Touched {
  readonly destinations: readonly DestinationKey[];
  readonly asked?: boolean;
  /** The event is over without having been followed: what it said will be repeated by something else. */
  readonly dropped?: string;
  /** Written only once everything touched was judged, or (`left`) ordered to be: a failure before it brings the event back whole. */
  readonly afterwards?: (left: readonly DestinationKey[]) => Promise<void>;
}
const nothing: Touched = { destinations: [] };

/** What one event says is written, or looked at; what that touched is judged by the caller. */
export const applyEvent = async (
  ports: ControlPorts,
  broker: BrokerItem,
  { event, sentAt }: ControlRecord,
  now: number,
): Promise<Touched> => {
  switch (event.event) {
    case "connection":
      return applyConnection(ports, broker.slice, event.state, sentAt, now);
    case "unsubscribe":
      return unsubscribe(ports, event, now);
    case "expire":
      return expireConnection(ports, event.connection, now);
    case "hint":
      return readHint(ports, broker, event);
    case "compare":
      return compareRoots(ports, broker, event.link, now);
    case "hello":
      return welcome(ports, broker, event.hello, now);
    case "hello-answer":
      return hearAnswer(ports, broker, event, now);
    case "closing":
      return partFrom(ports, broker, event, now);
    case "probe":
      return probeLink(ports, broker, event, now);
    case "link-failed":
      return breakLink(ports, broker, event);
    case "command":
      return obey(ports, broker, event, now);
    case "deployed":
      return takeUp(ports, broker, now);
    case "judge":
      return { destinations: [event.destination] };
    case "create":
      return { destinations: [event.destination], asked: true };
    case "discover":
      return discover(ports, event.destination, now);
    case "look":
      await lookInto(ports, event.place, now, event.due);
      return nothing;
    case "pass-result":
      if ((await closePass(ports, event.result, now)) === "closed") await passedPrivate(ports, event.result, now);
      return nothing;
    case "effective":
      await noteEffective(ports.brain, event);
      return nothing;
    default:
      return event satisfies never;
  }
};
