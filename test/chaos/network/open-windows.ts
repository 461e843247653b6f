import type { ClaimOf } from "../../../core/carry/audit.ts";
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

interface Open {
  readonly body: string;
  isOf(claim: ClaimOf): boolean;
}

export const openWindows = (work: "batch" | "pass", ledger: Pick<Ledger, "opened">): OpenWindows => {
  /** What unaudited targets took and the audit doesn't know yet. */
  let accepted: readonly Open[] = [];
  /** What a pass has sent and not deleted; what a link may have, and no shelter has. */
  const [undeleted, unsheltered] = [new Set<string>(), new Set<string>()];
  const close = (isClosed: (open: Open) => boolean): readonly string[] => {
    const closed = accepted.filter(isClosed);
    accepted = accepted.filter((open) => !isClosed(open));
    return closed.map(({ body }) => body);
  };
  return {
    handed: (one, { answer }) => {
      for (const body of bodiesIn(one.wire.body)) {
        if (answer === "silent" && work === "pass" && one.target.to === "link") unsheltered.add(body);
        if (answer !== "accepted") continue;
        if (one.target.to === "undelivered") unsheltered.delete(body);
        if (work === "pass") undeleted.add(body);
        else if (isUnaudited(one)) accepted = [...accepted, openFor(one, body)];
      }
    },
    unanswered: (one) => {
      const bodies = bodiesIn(one.wire.body);
      if (work === "pass" && one.target.to === "link") for (const body of bodies) unsheltered.add(body);
      else if (work === "pass") ledger.opened("pass-undeleted", bodies);
      else if (isUnaudited(one)) ledger.opened("accepted-unsettled", bodies);
    },
    settled: (claims) => void close((open) => claims.some((claim) => open.isOf(claim))),
    unsettled: (claims) =>
      ledger.opened(
        "settle-failed",
        close((open) => claims.some((claim) => open.isOf(claim))),
      ),
    removed: (copies) => {
      for (const body of bodiesIn(copies.map(({ body }) => body))) {
        undeleted.delete(body);
        unsheltered.delete(body);
      }
    },
    ended: (how) => {
      if (how === "dead")
        ledger.opened(
          "accepted-unsettled",
          close(() => true),
        );
      ledger.opened("pass-undeleted", [...undeleted]);
      ledger.opened("pass-unsheltered", [...unsheltered]);
      undeleted.clear();
      unsheltered.clear();
    },
  };
};

const isUnaudited = ({ target }: HandOver): boolean => target.to !== "link" && target.to !== "undelivered";

/** A claim's key names the destination and ends with the message's id. */
const openFor = ({ wire, group = "" }: HandOver, body: string): Open => {
  const id = JSON.parse(wire.attributes.SpanMQ?.value ?? "{}").id;
  return { body, isOf: ({ key }) => key.includes(`|${group}|`) && key.endsWith(`|${id}`) };
};
