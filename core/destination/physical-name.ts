import type { BrokerId } from "../ids.ts";
import { suffix as fifoSuffix, isFifoName, withoutSuffix } from "./fifo.ts";

/** What a name is for: parts of the house, queues, topics, a client's own queue, inbound of a link, temporary destinations. */
export type PhysicalKind = "sys" | "q" | "t" | "s" | "in" | "tmp";

/** SQS and most of AWS take 80 characters, an SNS topic 256; `.fifo` counts among them. */
export interface PhysicalNameOptions {
  readonly limit?: 80 | 256;
}

/** Network id and broker id together may have this many characters: then a hashed FIFO name and the names of roles still fit. */
export const idsLimit = 40;

const hashLength = 20;

const encodeUnit = (unit: string): string => {
  if (unit === ".") return "-";
  if (unit === "-" || unit === "_") return `_${unit}`;
  return `_x${unit.charCodeAt(0).toString(16)}_`;
};

const encode = (text: string): string => text.replace(/[^A-Za-z0-9]/g, encodeUnit);

/** As many whole units as fit: half an escape before a hash could read as another name. */
const headOf = (units: readonly string[], room: number): string => {
  let head = "";
  for (const unit of units) {
    if (head.length + unit.length > room) break;
    head += unit;
  }
  return head;
};

/**
 * The AWS name of a JMS name: readable, and no two names share one. Too long a name ends in `_h` and a hash; its full form stands in the table.
 * `orders.new` of broker `us` is `spanmq-<network>-us-q-orders-new`, `orders.fifo` is `spanmq-<network>-us-q-orders.fifo`.
 */
export const physicalName = (
  network: string,
  broker: BrokerId,
  kind: PhysicalKind,
  name: string,
  hash: (text: string) => string,
  { limit = 80 }: PhysicalNameOptions = {},
): string => {
  const prefix = `spanmq-${network}-${broker}-${kind}-`;
  const suffix = isFifoName(name) ? fifoSuffix : "";
  const room = limit - prefix.length - suffix.length;
  const stem = withoutSuffix(name);
  const encoded = encode(stem);
  if (encoded.length <= room) return prefix + encoded + suffix;
  const digest = `_h${hash(name).slice(0, hashLength)}`;
  return prefix + headOf(stem.split("").map(encode), room - digest.length) + digest + suffix;
};

export interface DecodedName {
  readonly network: string;
  readonly broker: BrokerId;
  readonly kind: PhysicalKind;
  readonly name: string;
}

const physical = /^spanmq-([a-z0-9]+)-([a-z0-9]+)-(sys|q|t|s|in|tmp)-([A-Za-z0-9_-]+)(\.fifo)?$/;

/** What a physical name stands for; `undefined` for a hashed one (ask the table) and for names that aren't ours. */
export const decodePhysicalName = (text: string): DecodedName | undefined => {
  const [, network = "", broker = "", kind = "", encoded = "", suffix = ""] = physical.exec(text) ?? [];
  const stem = encoded.replace(/-|_(?:([_-])|x([0-9a-f]{1,4})_)/g, (_, escaped?: string, code?: string) =>
    code === undefined ? (escaped ?? ".") : String.fromCharCode(Number.parseInt(code, 16)),
  );
  const isWritten = encode(stem) === encoded && (suffix !== "" || !isFifoName(stem));
  const isOurs = encoded !== "" && isWritten;
  return isOurs ? { network, broker: broker as BrokerId, kind: kind as PhysicalKind, name: stem + suffix } : undefined;
};
