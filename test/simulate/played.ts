import type { Crossing } from "./crossings.ts";
import type { Candidate, Route } from "./model/demand.ts";
import type { Picture } from "./model/picture.ts";
import type { Properties } from "./model/selectors.ts";

/** A message, or one part of a composite's. */
export interface Sent {
  readonly body: string;
  readonly at: string;
  readonly destination: string;
  readonly about: Properties;
  /** Messages of one name that came by the same door keep their order; absent: they have none. */
  readonly series?: string;
  /** Whose connection sent it, if it is a consumer's. */
  readonly by?: string;
  /** All was well and quiet, and stayed so. */
  readonly isQuiet: boolean;
}

/** What a consumer took, or what is left of a queue's message. */
export interface Copy {
  readonly body: string;
  readonly destination: string;
  readonly at: string;
  /** Brokers that it came through, the first one first, without the one it is at. */
  readonly path: readonly string[];
  readonly about: Properties;
}
export interface Received extends Copy {
  readonly who: string;
}
export interface Left extends Copy {
  /** Its destination's queue, `dead-letters`, where copies wait for a link (`undelivered a:to-b`), or else where nothing may stay. */
  readonly place: string;
}

/** What brokers hold of demand when all is quiet, as read from their tables and topics. */
export interface Found {
  readonly told: readonly { readonly at: string; readonly key: string; readonly routes: readonly Route[] }[];
  readonly learnt: readonly { readonly link: string; readonly key: string; readonly routes: readonly Route[] }[];
  readonly views: readonly {
    readonly at: string;
    readonly key: string;
    readonly candidates: readonly Candidate[];
    /** Of a topic. */
    readonly hasSubscribers: boolean;
  }[];
  /** Of topics: links, and consumers. */
  readonly subscribed: readonly { readonly at: string; readonly key: string; readonly ends: readonly string[] }[];
}

/** One history as it went, all that its judge knows of it. */
export interface Played {
  /** Who consumed, and which ways were open, at each moment since all was well for the first time; the last: when all is well again. */
  readonly pictures: readonly [Picture, ...Picture[]];
  /** Was all well before things went wrong? */
  readonly wasWell: boolean;
  readonly sent: readonly Sent[];
  readonly received: readonly Received[];
  readonly left: readonly Left[];
  readonly found: Found;
  readonly crossings: readonly Crossing[];
  /** Did anything go wrong that makes brokers repeat what they did? */
  readonly repeats: boolean;
  /** Hints told while all was well and quiet. */
  readonly hints: number;
}
