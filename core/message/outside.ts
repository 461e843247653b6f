import { hiddenAttribute, nativeLimit, splitNative, textAttribute } from "./attributes.ts";
import type { Message, NativeAttributes } from "./message.ts";
import { isOpen, mirrorsOf } from "./mirror.ts";

interface Parted {
  readonly carried: NativeAttributes;
  /** What must travel in the header. */
  readonly inside: NativeAttributes;
}

/**
 * What a message carries outside its header: native attributes, and on the way to a topic its properties too, for the filter policies of
 * subscriptions. If that isn't all that a selector may ask for, or not as what it is, the message says so, and is for no policy to judge.
 */
export const outsideOf = (
  { destination, native = {}, properties = {} }: Pick<Message, "destination"> & Partial<Pick<Message, "native" | "properties">>,
  taken: readonly string[],
): Parted => {
  const reserved = [...taken, ...Object.keys(properties)];
  const parted = splitNative(native, reserved);
  if (destination.kind !== "topic") return parted;
  const mirrors = mirrorsOf(properties);
  const all = { ...parted.carried, ...mirrors };
  const isWhole = mirrors !== undefined && Object.keys(parted.inside).length === 0 && Object.keys(all).length <= nativeLimit;
  if (isWhole && Object.entries(parted.carried).every(isOpen)) return { carried: all, inside: {} };
  const { carried, inside } = splitNative(native, reserved, nativeLimit - 1);
  return { carried: { ...carried, [hiddenAttribute]: textAttribute("true") }, inside };
};
