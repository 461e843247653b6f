import type { DestinationKey } from "../destination/destination.ts";
import type { DurableKey } from "../destination/durable-queue.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { Run } from "../link/link.ts";
import type { Hello } from "../message/hello.ts";
import type { ConnectionState } from "../presence/presence.ts";
import type { DrainedPlace } from "../routing/plan.ts";

/** What travels through a control queue. Those with a counter carry state; every other only says where to look. */
export type ControlEvent =
  | { readonly event: "connection"; readonly state: ConnectionState }
  /** Remove the durable subscription that was made at this moment, with what it has gathered. */
  | { readonly event: "unsubscribe"; readonly durable: DurableKey; readonly madeAt: number }
  /** A peer's demand for a destination changed: read it. */
  | { readonly event: "hint"; readonly from: BrokerId; readonly destination: DestinationKey; readonly version: number }
  /** A probe that crossed, passed on by dispatch. */
  | { readonly event: "hello"; readonly hello: Hello }
  /** The answer to a probe, from the receiver's control to the owner's. */
  | { readonly event: "hello-answer"; readonly link: LinkId; readonly counter: number; readonly digest: string }
  /** A peer is being destroyed: links to it stop. The counter is its clock, as in its hellos. */
  | { readonly event: "closing"; readonly from: BrokerId; readonly counter: number }
  /** Dispatch handed something over to a link of ours, and it refused or said nothing; `at`: our clock. */
  | { readonly event: "link-failed"; readonly link: LinkId; readonly at: number }
  | { readonly event: "judge"; readonly destination: DestinationKey }
  | { readonly event: "create"; readonly destination: DestinationKey }
  /** List who is subscribed to a topic. */
  | { readonly event: "discover"; readonly destination: DestinationKey }
  | { readonly event: "expire"; readonly connection: string }
  /** `heard`: the peer is there now. `opened`: one of the probes for the breaker that opened at this moment. */
  | { readonly event: "probe"; readonly link: LinkId; readonly heard?: true; readonly opened?: number }
  /** An operator starts or stops a link of this broker; `counter` (a clock in ms) orders commands. */
  | { readonly event: "command"; readonly link: LinkId; readonly run: Run; readonly counter: number }
  /** Read the peer's root and visit what differs. */
  | { readonly event: "compare"; readonly link: LinkId }
  /** Look at a queue: direct sends, resting messages, what a pass left to do. */
  | {
      readonly event: "look";
      readonly place: DrainedPlace;
      /** When time alone makes a round worth it, for something that rests there. */
      readonly due?: number;
    }
  | { readonly event: "pass-result"; readonly result: PassResult }
  /** At the consumer's broker: the link's owner has made this version of our demand effective. */
  | { readonly event: "effective"; readonly link: LinkId; readonly destination: DestinationKey; readonly version: number }
  /** The stack was deployed: a new configuration slice is in the table. */
  | { readonly event: "deployed"; readonly version: number };

/** Control asks dispatch to drain a resting place. */
export interface PassOrder {
  readonly place: DrainedPlace;
  readonly pass: string;
  /** The resting counter and the view's revision as control read them before: what a full round has seen. */
  readonly counter: number;
  readonly viewRevision: number;
  /** How often a copy may be received in this place before SQS gives up on it, where that isn't what our own queues allow. */
  readonly receiveLimit?: number;
  /** A carry-over: what was sent before this moment (clock) is sent anew, so that it doesn't age out. */
  readonly olderThan?: number;
  /** It ends when a rate's window takes no more, as if it had gone round. */
  readonly paced?: true;
}

/** What one drain pass did. */
export interface PassResult extends PassOrder {
  readonly moved: number;
  /** Copies sent anew in their place. */
  readonly renewed: number;
  /** Messages that stay: for local consumers, for want of a candidate, or because their target refused. */
  readonly left: number;
  /** It went once round the queue. */
  readonly complete: boolean;
  /** It broke off by an error. */
  readonly failed?: true;
  /** It ended because its target refused. */
  readonly refused?: true;
  /** A paced one ended because a window takes no more: what it saw waits for `dueAt`. */
  readonly spent?: true;
  /** When time alone makes another round worth it, for what it left. */
  readonly dueAt?: number;
  /** Links whose breaker was open, that it left something for. */
  readonly behind?: readonly LinkId[];
}
