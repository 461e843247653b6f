import type { BrokerId } from "../ids.ts";
import type { Header } from "./header.ts";
import type { Hash, Signer, Verify } from "./message.ts";

/** What a broker vouches for when it sends a message on. */
export type HopFields = Required<Pick<Header, "v" | "id" | "from" | "path" | "destination">> & {
  readonly originalDestination?: string | undefined;
  readonly content?: Header["content"] | undefined;
};
export type SignedHeader = Header & HopFields & Required<Pick<Header, "kid" | "sig">>;

/** The text under the signature: a JSON array, so that no two sets of fields share one. Never change its order: add a version. */
const signedText = (hop: HopFields, body: string, hash: Hash): string =>
  JSON.stringify([
    "SpanMQ",
    hop.v,
    hop.id,
    hop.from,
    hop.path,
    hop.destination,
    hop.originalDestination ?? null,
    hop.content ?? null,
    hash(body),
  ]);

/** What is to be signed: a message's hop fields, and the body they belong to. */
export interface Unsigned<T extends HopFields> {
  readonly hop: T;
  readonly body: string;
}

/** Signs messages that go together; each stands alone then. */
export const signHops = <T extends HopFields>(unsigned: readonly Unsigned<T>[], { kid, sign }: Signer, hash: Hash) => {
  const signatures = sign(unsigned.map(({ hop, body }) => signedText(hop, body, hash)));
  return unsigned.map(({ hop }, index) => ({ ...hop, kid, sig: signatures[index] ?? "" }));
};

/** How hop fields are judged. `verify` must know the keys of the expected sender, and should know no other's. */
export interface SignatureCheck {
  readonly verify: Verify;
  readonly hash: Hash;
}

const isSigned = (header: Header): header is SignedHeader =>
  (["id", "from", "path", "destination", "kid", "sig"] as const).every((field) => header[field] !== undefined);

export type SignatureVerdict =
  | { readonly signature: "valid"; readonly header: SignedHeader }
  | { readonly signature: "unknown-key"; readonly kid: string }
  | { readonly signature: "none" };

/** Did `sender` vouch for this message? A signature of anybody else, or of other fields, is none. */
export const judgeSignature = (header: Header, body: string, sender: BrokerId, { verify, hash }: SignatureCheck): SignatureVerdict => {
  if (!isSigned(header) || header.from !== sender) return { signature: "none" };
  const answer = verify(header.kid, signedText(header, body, hash), header.sig);
  if (answer === "unknown-key") return { signature: "unknown-key", kid: header.kid };
  return answer === "valid" ? { signature: "valid", header } : { signature: "none" };
};
