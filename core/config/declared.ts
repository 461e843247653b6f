import { destinationKey, parseDestination } from "../destination/destination.ts";
import { durableId } from "../destination/durable-queue.ts";
import type { ConfigFault, KeyPath } from "./fault.ts";
import { at, itemsAt, keysOf, textAt, textOf } from "./reading.ts";

/** Destinations declared twice on one broker, and consumers that are one line too many. */
export const declaredTwice = (input: unknown): readonly ConfigFault[] =>
  keysOf(at(input, "brokers")).flatMap((id) => {
    const broker = at(at(input, "brokers"), id);
    const lines = (list: string, keyOf: (item: unknown) => string | undefined): Line[] =>
      itemsAt(broker, list).map((item, i) => ({ path: ["brokers", id, list, i], value: item, key: keyOf(item) }));
    return [
      ...repeated(
        lines("queues", (item) => keyFor(nameOf(item), "queue")),
        "is declared twice; remove one",
      ),
      ...repeated(
        lines("topics", (item) => keyFor(nameOf(item), "topic")),
        "is declared twice; remove one",
      ),
      ...repeated(lines("consumers", consumerKey), "repeats destination, priority and selector; add its count to the other line"),
      ...repeated(
        lines("consumers", durableKeyOf),
        "repeats clientID and subscriptionName, which name one subscription; give it another name",
      ),
    ];
  });

interface Line {
  readonly path: KeyPath;
  readonly value: unknown;
  readonly key: string | undefined;
}

const repeated = (lines: readonly Line[], must: string): ConfigFault[] =>
  lines
    .filter(({ key }, i) => key !== undefined && lines.findIndex((line) => line.key === key) < i)
    .map(({ path, value }) => ({ fault: "invalid", path, value, must }));

const nameOf = (item: unknown): string | undefined => textOf(item) ?? textAt(item, "name");

const keyFor = (text: string | undefined, kind: "queue" | "topic"): string | undefined => {
  const destination = text === undefined ? undefined : parseDestination(text, kind);
  return destination === undefined || "fault" in destination ? undefined : destinationKey(destination);
};

const consumerKey = (consumer: unknown): string | undefined => {
  const key = keyFor(textAt(consumer, "destination"), "queue");
  const priority = at(consumer, "priority") ?? 0;
  const isDurable = durableKeyOf(consumer) !== undefined;
  return isDurable || key === undefined || typeof priority !== "number"
    ? undefined
    : [key, priority, textAt(consumer, "selector")].join(" ");
};

const durableKeyOf = (consumer: unknown): string | undefined => {
  const [clientID, name] = [textAt(consumer, "clientID"), textAt(consumer, "subscriptionName")];
  return clientID === undefined || name === undefined ? undefined : durableId({ clientID, subscriptionName: name });
};
