import type { Audit, ClaimAnswer } from "./audit.ts";
import type { ClaimKey } from "./claim.ts";

/**
 * Grants every claim and remembers none (`enableAudit: false`): each copy is carried. It can't promise that a message is carried once:
 * a redelivered or doubled copy, a lost answer and a drain pass that dies each double, and so does what some of several targets took; a
 * message may arrive by several ways.
 */
export const unaudited = <P>(): Audit<P> => ({
  claim: async (claims) => claims.map(() => ({ answer: "granted" })),
  takeOver: async () => "granted",
  progress: async () => {},
  settle: async (claims) => claims.map(() => "settled"),
  release: async (claims) => claims.map(() => "released"),
});

/** Remembers claims of some keys; all others are granted and forgotten, as by `unaudited`. */
export const auditOnly = <P>(audit: Audit<P>, isAudited: (key: ClaimKey) => boolean): Audit<P> => {
  const ours = <C extends { readonly key: ClaimKey }>(claims: readonly C[]): readonly C[] => claims.filter(({ key }) => isAudited(key));
  /** One answer for each claim: the audit's where it was asked. */
  const answering = async <C extends { readonly key: ClaimKey }, A>(
    claims: readonly C[],
    ask: (asked: readonly C[]) => Promise<readonly A[]>,
    missing: A,
    otherwise: A,
  ): Promise<readonly A[]> => {
    const asked = ours(claims);
    const answers = (asked.length > 0 ? await ask(asked) : []).values();
    return claims.map(({ key }) => (isAudited(key) ? (answers.next().value ?? missing) : otherwise));
  };
  return {
    claim: (claims, now) =>
      answering<(typeof claims)[number], ClaimAnswer<P>>(claims, (asked) => audit.claim(asked, now), noAnswer, { answer: "granted" }),
    takeOver: audit.takeOver,
    settle: (claims, now) => answering(claims, (asked) => audit.settle(asked, now), "unsettled", "settled"),
    progress: async (claims) => {
      const asked = ours(claims);
      if (asked.length > 0) await audit.progress(asked);
    },
    release: (claims) => answering(claims, audit.release, "unreleased", "released"),
  };
};

const noAnswer = { answer: "unknown", why: "the audit doesn't answer" } as const;
