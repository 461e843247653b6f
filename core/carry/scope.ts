import { type Destination, destinationKey } from "../destination/destination.ts";
import type { LinkId } from "../ids.ts";
import type { Message } from "../message/message.ts";
import type { ClaimKey } from "./claim.ts";

/**
 * Key of a message that came by a door, for one of its destinations. A topic's copies are one, whichever way they came. A queue's message is
 * one of a kind: what came another way is another copy, and going on by its own path it ends somewhere. Were all copies one, two that
 * crossed each other's way would each be dropped for the other. A replayed message has a longer path than the one that left.
 */
export const arrivalKey = (
  { id, brokerPath }: Pick<Message, "id" | "brokerPath">,
  door: "ingress" | "inbound" | "feed",
  destination: Destination,
  link?: LinkId,
): ClaimKey =>
  [door, destinationKey(destination), ...(destination.kind === "topic" ? linkFrom(door, link) : [brokerPath.join(">")]), id].join("|");

/** What a topic feeds goes to each link by itself. */
const linkFrom = (door: string, link: LinkId | undefined): readonly string[] => (door === "feed" && link !== undefined ? [link] : []);

/** Key of a resting copy that a drain pass moves: the copy's own transport id, since the message may rest here again. */
export const restingKey = (place: string, transportId: string): ClaimKey => `rest|${place}|${transportId}`;

/** Key of a message that an application handles once in a scope: its destination, its subscription, or a name of the application's own. */
export const onceKey = (scope: string, id: Message["id"]): ClaimKey => `once|${scope}|${id}`;

/** Key of a message that a JMS bridge takes from its source, of a copy that it has parked, or of its breaker. */
export const bridgeKey = (bridge: string, what: "source" | "parked" | "breaker", id = ""): ClaimKey => `bridge|${bridge}|${what}|${id}`;
