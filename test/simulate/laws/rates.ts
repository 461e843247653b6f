import type { Crossing } from "../crossings.ts";
import { policyAt } from "../model/picture.ts";
import type { Played } from "../played.ts";
import type { Justified, Law } from "./law.ts";

/** Windows open whenever something crosses: an interval meets as many as fit into it, and two more. */
const tooMany = (those: readonly Crossing[], limit: number, duration: number): boolean =>
  those.some((first, start) => those.slice(start).some(({ at }, more) => more + 1 > limit * (Math.floor((at - first.at) / duration) + 2)));

const tooFast = ({ crossings }: Played, { atLast: { picture } }: Justified): readonly string[] =>
  [...Map.groupBy(crossings, ({ link, destination }) => `${destination} over ${link}`)].flatMap(([what, those]) => {
    const [{ from, destination } = { from: "", destination: "" }] = those;
    const { rateLimit, rateDuration } = policyAt(picture, from, destination);
    return rateLimit > 0 && tooMany(those, rateLimit, rateDuration) ? [`${what}: more than ${rateLimit} in ${rateDuration} ms`] : [];
  });

export const rateLaws: readonly Law[] = [{ law: "no link takes more of a destination than its rate", broken: tooFast }];
