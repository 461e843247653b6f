import type { NetworkInput } from "../../core/config/define-network.ts";
import type { Silence } from "../support/simulator/weather.ts";
import type { Properties } from "./model/selectors.ts";
import type { FaultName } from "./troubles.ts";

/** One thing that somebody does. What it means nothing for (a consumer who isn't there leaves) does nothing. */
export type Step =
  /** A client with one consumer connects. */
  | {
      readonly step: "consume";
      readonly who: string;
      readonly at: string;
      readonly destination: string;
      readonly priority?: number;
      readonly prefetchSize?: number;
      readonly selector?: string;
      readonly noLocal?: true;
      /** A durable subscription of its own, which stands until it is unsubscribed. */
      readonly durable?: true;
    }
  | { readonly step: "leave" | "fall silent" | "wake"; readonly who: string }
  /** The subscriber of a durable subscription, who had left. */
  | { readonly step: "return" | "unsubscribe"; readonly who: string }
  /** Through the ingress, or past us: straight to the queue or topic, if it is there. */
  | {
      readonly step: "send";
      readonly at: string;
      readonly destination: string;
      readonly count: number;
      readonly direct?: true;
      /** Our client sends it; a plain producer's says nothing about itself. */
      readonly about?: Properties;
      /** Of what keeps order. */
      readonly group?: string;
      /** Sends by its own connection, if it is there. */
      readonly by?: string;
    }
  | { readonly step: "cut" | "heal"; readonly between: readonly [string, string] }
  /** Hand-overs get no answer; without a silence they do again. */
  | { readonly step: "hush"; readonly from: string; readonly to: string; readonly silence?: Silence }
  | { readonly step: "start" | "stop"; readonly at: string; readonly connector: string }
  | { readonly step: "wait"; readonly seconds: number };

/** A history as data: whoever plays it again sees the same. */
export interface History {
  /** Draws what the faults strike. */
  readonly seed: number;
  readonly network: NetworkInput;
  readonly faults: readonly FaultName[];
  /** From the first deployment on; else when all was well once. */
  readonly faultsFromTheStart: boolean;
  readonly subscriptionLagMs: number;
  /** Before anything goes wrong. */
  readonly before: readonly Step[];
  readonly steps: readonly Step[];
  /** When all is well again each of these is sent to once from each of its brokers. */
  readonly quietSends: readonly { readonly at: string; readonly destination: string; readonly about?: Properties }[];
}
