import { demandLaws } from "./laws/demand.ts";
import { justifiedBy, type Law } from "./laws/law.ts";
import { messageLaws } from "./laws/messages.ts";
import { rateLaws } from "./laws/rates.ts";
import { wayLaws } from "./laws/ways.ts";
import type { Played } from "./played.ts";

export interface Broken {
  readonly law: string;
  /** Where, in words. */
  readonly what: readonly string[];
}

export const laws: readonly Law[] = [...messageLaws, ...wayLaws, ...rateLaws, ...demandLaws];

export const brokenLaws = (played: Played): readonly Broken[] => {
  const justified = justifiedBy(played);
  return laws.map(({ law, broken }) => ({ law, what: broken(played, justified) })).filter(({ what }) => what.length > 0);
};
