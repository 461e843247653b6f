import { encodeMessages } from "../../message/encode.ts";
import type { Message, WireMessage } from "../../message/message.ts";
import type { Identity } from "../identity.ts";

/** The wire form of messages that are sent together: signed together, each once, however many targets it has. */
export const encodeTogether = (all: readonly Message[], { self: broker, signer, hash }: Identity): ReadonlyMap<Message, WireMessage> => {
  const messages = [...new Set(all)];
  const wires = encodeMessages(messages, { broker, signer, hash }).values();
  return new Map(messages.map((message) => [message, wires.next().value as WireMessage]));
};
