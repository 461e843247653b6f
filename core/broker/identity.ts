import type { BrokerId } from "../ids.ts";
import type { PublicKey } from "../message/hello.ts";
import type { Hash, Signer, Verify } from "../message/message.ts";

/** Who this broker is, and the synchronous functions that the core doesn't have of its own. */
export interface Identity {
  readonly self: BrokerId;
  readonly hash: Hash;
  readonly signer: Signer;
  verifyWith(keys: readonly PublicKey[]): Verify;
}
