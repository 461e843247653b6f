import { memoryStore, type Once, once } from "../../client/index.ts";
import { Crash } from "../support/simulator/disturbance.ts";
import type { Played } from "./guarantee.ts";
import { calmly, type Moment, told } from "./moments.ts";
import { striking } from "./strikes.ts";
import { struckAudit } from "./struck-ports.ts";

const handlerTimeout = 60_000;

/** One message to a guarded handler, delivered until it is done; what counts are the effects of its handler. */
export const playOnce = async (moment: Moment | undefined): Promise<Played> => {
  const { strikes = [], undeleted, handlers = 1 } = moment ? told(moment) : calmly;
  const strike = striking(strikes);
  let [now, effects, kept] = [0, 0, undeleted === undefined];
  const effect = async (): Promise<void> => {
    effects += 1;
  };
  const throwing = (): never => {
    throw new Error("it comes again");
  };
  const store = struckAudit(memoryStore(), strike);
  const handle = once(() => strike.through("handler", effect, throwing), { store, handlerTimeout, now: () => now });
  const deliver = (): Promise<Once<void> | undefined> =>
    handle({ id: "m", destination: "queue://far" }).catch((error) => {
      if (!(error instanceof Crash || `${error}`.includes("it comes again"))) throw error;
      return undefined;
    });
  strike.arm();
  for (let isDone = false; !isDone; now += handlerTimeout + 5_000) {
    const answers = await Promise.all(Array.from({ length: handlers }, deliver));
    const [answer] = answers;
    isDone = answer !== undefined && !("later" in answer) && kept;
    kept = kept || (answer !== undefined && "ran" in answer);
  }
  return { struck: strike.haveFallen(), calls: [...strike.calls], delivered: effects, behindOnce: effects, left: [] };
};
