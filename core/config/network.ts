import type { BrokerId } from "../ids.ts";
import type { JmsBridgeConfig } from "./jms-bridge.ts";
import type { BrokerSlice, NetworkConnector } from "./slice.ts";
import type { ConfigWarning } from "./warning.ts";

/** One broker as configured, defaults filled in. */
export interface BrokerConfig extends Omit<BrokerSlice, "network" | "broker" | "brokers" | "connectors" | "jmsBridges"> {
  readonly id: BrokerId;
  readonly region: string;
  readonly account: string;
}

/** A configuration without faults: connectors one-way, destinations normalized, in the order of the file. */
export interface Network {
  readonly network: string;
  readonly brokers: readonly BrokerConfig[];
  readonly connectors: readonly NetworkConnector[];
  readonly jmsBridges: readonly JmsBridgeConfig[];
  /** Allowed, and probably not meant. */
  readonly warnings: readonly ConfigWarning[];
}
