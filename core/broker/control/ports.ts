import type {
  Brain,
  Counters,
  Depths,
  Events,
  ForeignSubscriptions,
  Passes,
  PeerDemand,
  Probes,
  Resources,
  Subscriptions,
  TableIdentity,
} from "../../ports.ts";
import type { Identity } from "../identity.ts";

/** What control works with. */
export interface ControlPorts {
  readonly identity: Identity;
  readonly brain: Brain;
  readonly counters: Counters;
  readonly table: TableIdentity;
  readonly peers: PeerDemand;
  readonly events: Events;
  readonly probes: Probes;
  readonly resources: Resources;
  readonly subscriptions: Subscriptions;
  readonly foreign: ForeignSubscriptions;
  readonly depths: Depths;
  readonly passes: Passes;
  /** Milliseconds that an invocation of dispatch may run. */
  readonly longest: number;
  /** Milliseconds since the epoch. For what counts from when slow calls are over; all else is judged as of when its batch began. */
  clock(): number;
}
