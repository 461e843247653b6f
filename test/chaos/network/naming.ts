import type { BrokerId } from "../../../core/ids.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { HandOver, RestingCopy } from "../../../core/ports.ts";

interface Header {
  readonly id?: string;
  readonly path?: readonly string[];
  readonly destination?: string;
}
const headerIn = ({ attributes }: Pick<WireMessage, "attributes">): Header => JSON.parse(attributes.SpanMQ?.value ?? "{}");

/** A message's id: of a plain producer's its copy's own. */
export const messageIn = (copy: Pick<RestingCopy, "id" | "attributes">): string => headerIn(copy).id ?? copy.id;

/** Brokers that a message has come through. */
export const pathIn = (copy: Pick<WireMessage, "attributes">): string => (headerIn(copy).path ?? []).join(">");

/** What its carrier took on: at a door a message by its way and destination, in a pass a message that rests in one place. */
export const loadBy = ({ wire, group = "" }: HandOver, at: "door" | "pass"): string => {
  const { id = "" } = headerIn(wire);
  return at === "pass" ? id : [group, group.startsWith("topic:") ? "" : pathIn(wire), id].join("|");
};

/** The same, as a claim's key tells it. `messages`: of copies that a pass received, by their own ids. */
export const loadOfClaim = (key: string, messages: ReadonlyMap<string, string>): string => {
  const [, destination = "", ...names] = key.split("|");
  const id = names.at(-1) ?? "";
  return messages.get(id) ?? [destination, names.slice(0, -1).join("|"), id].join("|");
};

/** Who reads what is handed over, as the ledger names readers; `undefined`: any of a topic's. */
export const readerOf = ({ target, group = "" }: HandOver): string | undefined => {
  if (target.to === "own-queue") return target.queue.split(".", 1)[0];
  return group.startsWith("queue:") ? group : undefined;
};

/** Whom it reaches when this broker repeats it, as the ledger names readers and places: links drop what a topic sends them again. */
export const againFor = (one: HandOver, at: BrokerId): string | undefined => (one.target.to === "topic" ? at : readerOf(one));

/** Who reads a copy that stands in a queue. */
export const readerAt = (arn: string, copy: Pick<RestingCopy, "attributes">): string | undefined => {
  const { destination } = headerIn(copy);
  return destination?.startsWith("queue:") ? destination : /-s-(conn\d+)-c\d+/.exec(arn)?.[1];
};
