import type { Settled } from "../../../core/carry/audit.ts";
import type { BrokerId } from "../../../core/ids.ts";
import { bodiesIn } from "../cells.ts";
import { againFor, loadBy, loadOfClaim, messageIn } from "./naming.ts";
import type { OpenWindows } from "./open-windows.ts";
import type { OrderedWindows } from "./ordered-windows.ts";
import { standings } from "./standings.ts";

/**
 * Where what comes again is claimed again: it goes twice to a target that can't tell what it has, if the claim wasn't settled, or was taken
 * from a handler that settled it after that.
 */
export const claimedWindows = (
  ledger: Pick<OrderedWindows, "opened">,
  at: BrokerId,
  by: "door" | "pass",
  isOvertaken: (claim: Settled) => boolean = () => false,
): OpenWindows => {
  const accepted = standings(ledger);
  const messages = new Map<string, string>();
  const loadOf = ({ key }: Settled): string => loadOfClaim(key, messages);
  return {
    received: (copies) => {
      for (const copy of copies) messages.set(copy.ref, messageIn(copy));
    },
    claimed: () => {},
    handed: (one, answer) => {
      if (one.target.to === "link" || one.target.to === "undelivered") return; // its receiver drops what it has
      const [bodies, reader] = [bodiesIn(one.wire.body), againFor(one, at)];
      if (answer === "accepted") accepted.put({ load: loadBy(one, by), bodies, reader });
      else ledger.opened("accepted-unsettled", bodies, reader);
    },
    settled: (claims) => {
      for (const claim of claims) {
        if (isOvertaken(claim)) accepted.open("clocks-apart", loadOf(claim));
        else accepted.take(loadOf(claim));
      }
    },
    unsettled: (claims) => {
      for (const claim of claims) accepted.open("settle-failed", loadOf(claim));
    },
    removed: () => {},
    ended: (how) => {
      if (how === "dead") accepted.openAll("accepted-unsettled");
    },
  };
};
