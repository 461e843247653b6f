import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../core/message/message.ts";

/** A value that differed between runs: `[least, most]`, or one of several. */
export type Varying<T> = T | { readonly anyOf: readonly (T | null)[] };
export type Count = Varying<number | readonly [number, number]>;

export interface RecordedConsumer {
  readonly id: string;
  readonly broker: string;
  /** May carry options: `queue://Q?consumer.priority=5`. */
  readonly dest: string;
  readonly kind: "queue" | "topic" | "durable";
  readonly clientId?: string;
  readonly durableName?: string;
  readonly selector?: string | null;
  readonly count?: number;
  readonly prefetch?: number;
  readonly ack?: "auto" | "none" | "idle";
  readonly delayMs?: number;
  readonly respond?: boolean;
  readonly browser?: boolean;
}

export interface Produce {
  readonly do: "produce";
  readonly id: string;
  readonly broker: string;
  readonly dest: string;
  readonly count: number;
  readonly persistent?: boolean;
  readonly ttlMs?: number;
  readonly delayMs?: number;
  /** Message i has those of `variants[i % n]`. */
  readonly variants?: readonly { readonly headers?: RecordedHeaders; readonly properties?: Message["properties"] }[];
}

export interface RecordedHeaders {
  readonly JMSType?: string;
  readonly JMSPriority?: number;
  readonly JMSCorrelationID?: string;
  readonly JMSReplyTo?: string;
  readonly JMSXGroupID?: string;
  readonly JMSXGroupSeq?: number;
}

export type Step = { readonly noSettle?: boolean } & (
  | Produce
  | { readonly do: "open"; readonly consumer: RecordedConsumer }
  | { readonly do: "close"; readonly consumer: string }
  | { readonly do: "startConnector" | "stopConnector"; readonly connector: string }
  | { readonly do: "createDestination" | "removeDestination"; readonly broker: string; readonly dest: string }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "snapshot"; readonly label: string }
  | { readonly do: "restartBroker" | "stopBroker" | "startBroker"; readonly broker: string }
  | { readonly do: "unsubscribe"; readonly broker: string; readonly clientId: string; readonly durableName: string }
  | { readonly do: "request" }
);

export interface RecordedSubscription {
  readonly dest: string;
  readonly priority: Varying<number>;
  readonly brokerPath: Varying<readonly string[]>;
}

/** A durable subscription of a client, or of a bridge. */
export interface RecordedDurable {
  readonly clientId: string;
  readonly name: string;
  readonly dest: string;
  readonly active: Varying<boolean>;
}

export interface RecordedState {
  readonly durableSubscriptions?: Varying<readonly RecordedDurable[]>;
  readonly queues: Readonly<Record<string, { readonly depth: Count }>>;
  readonly networkSubscriptions: Varying<readonly RecordedSubscription[]>;
}

export interface RecordedConnector {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly manualStart?: boolean;
}

export interface RecordedBroker {
  readonly name: string;
  readonly persistent?: boolean;
  readonly advisorySupport?: boolean;
  readonly destinations?: readonly string[];
  readonly useVirtualDestSubs?: boolean;
  readonly virtualDestinations?: readonly unknown[];
  readonly policies?: readonly RecordedPolicy[];
}

export interface RecordedPolicy {
  readonly dest: string;
  readonly conditionalNetworkBridgeFilterFactory?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** A message as its consumer got it: its JMS fields by name, besides these. */
export interface RecordedMessage {
  readonly brokerPath: readonly string[];
  readonly properties: Readonly<Record<string, { readonly type: string; readonly value?: unknown }>>;
  readonly [field: string]: unknown;
}

/** One program that real brokers ran, and what they did. */
export interface Scenario {
  readonly id: string;
  readonly topology: { readonly brokers: readonly RecordedBroker[]; readonly connectors: readonly RecordedConnector[] };
  readonly setup: { readonly consumers: readonly RecordedConsumer[] };
  readonly action: readonly Step[];
  readonly notes?: string;
  readonly expected: {
    /** By `<broker> <destination>` of the consumers. */
    readonly totalReceivedByBrokerAndDest: Readonly<Record<string, Count>>;
    /** By consumer. */
    readonly distinctReceived: Readonly<Record<string, Count>>;
    readonly duplicates?: Readonly<Record<string, Count>>;
    readonly inOrderPerProducer?: Readonly<Record<string, Varying<boolean>>>;
    /** The last one of each consumer with `capture`. */
    readonly lastMessage?: Readonly<Record<string, RecordedMessage>>;
    readonly snapshots?: Readonly<Record<string, { readonly brokers: Readonly<Record<string, RecordedState | "stopped">> }>>;
    readonly finalState: Readonly<Record<string, RecordedState>>;
  };
}

const folder = process.env.SPANMQ_ORACLE ?? "test/oracle";

/** Are these the recordings that stand in the repository? Of others nobody knows what they hold. */
export const isOurs = process.env.SPANMQ_ORACLE === undefined;

export const isMissing = (file: string): string => `${folder} has no ${file}`;

/** The recordings of one file of the folder that `SPANMQ_ORACLE` names; `undefined`: the folder has no such file. */
export const recorded = <T>(file: string, list: string): readonly T[] | undefined => {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  const { [list]: entries } = JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly T[] | undefined>;
  if (!Array.isArray(entries)) throw new Error(`${path} has no list "${list}": is it a recording of this kind?`);
  return entries;
};
