import type { BrokerId, LinkId } from "../ids.ts";

/** A broker's public signing key; keys overlap at rotation, so a broker may have several. */
export interface PublicKey {
  readonly kid: string;
  /** Ed25519 public key, SPKI DER in base64. */
  readonly key: string;
}

/**
 * What the owner of a connector says of itself through the link's own inbound queue (the probe).
 * `counter` orders hellos of one sender: a lower one is ignored, an equal one repeats all.
 */
export interface Hello {
  readonly link: LinkId;
  readonly from: BrokerId;
  readonly to: BrokerId;
  /** Digest of the shared part of the configuration. */
  readonly digest: string;
  /** Names of the consumer advisories that the owner listens to, wildcards included: what it wants hints for. */
  readonly advisoryFilter: readonly string[];
  readonly keys: readonly PublicKey[];
  /** The sender's clock, milliseconds since the epoch: the answer to it gives the lag. */
  readonly counter: number;
  /** The connector is being removed, and nothing of ours is under way to its link any more. */
  readonly stopped?: true | undefined;
}
