import type { ClaimOf } from "../../../core/carry/audit.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { HandOver, HandOverAnswer, RestingCopy } from "../../../core/ports.ts";
import { bodiesIn } from "../cells.ts";
import type { Ledger } from "../ledger.ts";

/** One invocation's windows, as they open and close with each call that was answered. */
export interface OpenWindows {
  handed(one: HandOver, answer: HandOverAnswer): void;
  /** The target accepted; nobody was told. */
  unanswered(one: HandOver): void;
  settled(claims: readonly ClaimOf[]): void;
  unsettled(claims: readonly ClaimOf[]): void;
  removed(copies: readonly RestingCopy[]): void;
  /** The invocation ends here, dead or alive. */
  ended(how: "dead" | "alive"): void;
}

/** Messages by their ids: two may have one body, where a producer sent again. */
type Open = Map<string, { readonly bodies: readonly string[]; readonly group: string }>;

export const openWindows = (work: "batch" | "pass", ledger: Pick<Ledger, "opened">): OpenWindows => {
  /** What unaudited targets took and the audit doesn't know yet; by destination too, of a composite's parts. */
  const accepted: Open = new Map();
  /** What a pass has sent and not deleted; what a link may have, and no shelter has. */
  const [undeleted, unsheltered]: [Open, Open] = [new Map(), new Map()];
  const open = (where: Open, { wire, group = "" }: HandOver, key = idOf(wire)) => where.set(key, { bodies: bodiesIn(wire.body), group });
  const takeOut = (where: Open, isMeant: (id: string) => boolean = () => true): readonly string[] => {
    const meant = [...where].filter(([id]) => isMeant(id));
    for (const [id] of meant) where.delete(id);
    return meant.flatMap(([, { bodies }]) => bodies);
  };
  /** A claim's key names the destination and ends with the message's id. */
  const claimed = (claims: readonly ClaimOf[]) => (id: string) => {
    const { group = "" } = accepted.get(id) ?? {};
    return claims.some(({ key }) => key.includes(`|${group}|`) && id === `${key.slice(key.lastIndexOf("|") + 1)}|${group}`);
  };
  return {
    handed: (one, { answer }) => {
      if (answer === "silent" && work === "pass" && one.target.to === "link") open(unsheltered, one);
      if (answer !== "accepted") return;
      if (one.target.to === "undelivered") unsheltered.delete(idOf(one.wire));
      if (work === "pass") open(undeleted, one);
      else if (isUnaudited(one)) open(accepted, one, `${idOf(one.wire)}|${one.group}`);
    },
    unanswered: (one) => {
      if (work === "pass" && one.target.to === "link") open(unsheltered, one);
      else if (work === "pass") ledger.opened("pass-undeleted", bodiesIn(one.wire.body));
      else if (isUnaudited(one)) ledger.opened("accepted-unsettled", bodiesIn(one.wire.body));
    },
    settled: (claims) => void takeOut(accepted, claimed(claims)),
    unsettled: (claims) => ledger.opened("settle-failed", takeOut(accepted, claimed(claims))),
    removed: (copies) => {
      for (const copy of copies) {
        const id = idOf(copy) || copy.id;
        undeleted.delete(id);
        unsheltered.delete(id);
      }
    },
    ended: (how) => {
      if (how === "dead") ledger.opened("accepted-unsettled", takeOut(accepted));
      ledger.opened("pass-undeleted", takeOut(undeleted));
      ledger.opened("pass-unsheltered", takeOut(unsheltered));
    },
  };
};

const isUnaudited = ({ target }: HandOver): boolean => target.to !== "link" && target.to !== "undelivered";
const idOf = ({ attributes }: Pick<WireMessage, "attributes">): string => JSON.parse(attributes.SpanMQ?.value ?? "{}").id;
