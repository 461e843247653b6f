import type { BrokerId } from "../../../core/ids.ts";
import { bodiesIn, cellOf, isOrdered } from "../cells.ts";
import { againFor, loadBy, loadOfClaim, messageIn } from "./naming.ts";
import type { OpenWindows } from "./open-windows.ts";
import type { OrderedWindows } from "./ordered-windows.ts";
import { standings } from "./standings.ts";

/**
 * Where consumers take copies beside the pass that sends them on: what stays of a message that is elsewhere is theirs, or comes again.
 * Copies of one message may rest here, each for itself.
 */
export const takenWindows = (ledger: Pick<OrderedWindows, "opened">, at: BrokerId): OpenWindows => {
  /** What was sent and not deleted; what a link or its shelter may have, and neither said so. */
  const [undeleted, unsheltered] = [standings(ledger), standings(ledger)];
  /** Of these a later pass hands over once more what wasn't settled, to a FIFO target that may have forgotten it. */
  const repeated = standings(ledger);
  const messages = new Map<string, string>();
  /** Transport ids of copies that an earlier pass had sent. */
  const done = new Set<string>();
  return {
    received: (copies) => {
      for (const copy of copies) messages.set(copy.ref, messageIn(copy));
    },
    claimed: (claims, answers) => {
      for (const [index, { key }] of claims.entries()) {
        const answer = answers[index];
        if (answer?.answer === "found" && answer.record.state === "done") done.add(key.slice(key.lastIndexOf("|") + 1));
      }
    },
    handed: (one, answer) => {
      const sent = { load: loadBy(one, "pass"), bodies: bodiesIn(one.wire.body), reader: againFor(one, at) };
      const { to } = one.target;
      if (to === "undelivered") unsheltered.take(sent.load); // its shelter has it, or may have it, as well as the link or alone
      const isUnheard = answer !== "accepted" && (to === "link" || to === "undelivered");
      (isUnheard ? unsheltered : undeleted).put(sent);
      if (sent.bodies.some((body) => isOrdered(cellOf(body))) && to !== "link" && to !== "undelivered") repeated.put(sent);
    },
    settled: (claims) => {
      for (const { key } of claims) repeated.take(loadOfClaim(key, messages));
    },
    unsettled: () => {},
    removed: (copies) => {
      for (const copy of copies) if (!done.has(copy.ref)) undeleted.take(messageIn(copy));
    },
    ended: () => {
      undeleted.openAll("pass-undeleted");
      unsheltered.openAll("pass-unsheltered");
      repeated.openAll("accepted-unsettled");
    },
  };
};
