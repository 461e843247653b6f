import type { DrainPorts } from "../../core/broker/dispatch/drain.ts";
import type { Audit } from "../../core/carry/audit.ts";
import type { HandOver, HandOverAnswer } from "../../core/ports.ts";
import { Crash } from "../support/simulator/disturbance.ts";
import type { Strike } from "./moments.ts";
import type { Aim } from "./scenes.ts";
import type { Strikes } from "./strikes.ts";

/** An audit that strikes fall on. */
export const struckAudit = <P>(audit: Audit<P>, { through }: Strikes): Audit<P> => ({
  claim: (claims, now) =>
    through(
      "claim",
      () => audit.claim(claims, now),
      () => claims.map(() => ({ answer: "unknown", why: "the answer was lost" })),
    ),
  takeOver: (...taking) => through("takeOver", () => audit.takeOver(...taking)),
  progress: (claims) =>
    through(
      "progress",
      () => audit.progress(claims),
      () => {},
    ),
  settle: (claims, now) =>
    through(
      "settle",
      () => audit.settle(claims, now),
      () => claims.map(() => "unsettled"),
    ),
  release: (claims) =>
    through(
      "release",
      () => audit.release(claims),
      () => claims.map(() => "unreleased"),
    ),
});

const refused: HandOverAnswer = { answer: "refused", cause: "throttled", why: "slow down" };
const silent: HandOverAnswer = { answer: "silent", why: "no answer in 3 s" };

/** What is handed to one kind of target is struck; what is handed to a shelter as well, under its own name. */
export const struckHandOver = <H>(
  handOver: (handOvers: readonly H[]) => Promise<readonly HandOverAnswer[]>,
  callOf: (handOver: H) => "handOver" | "shelter" | undefined,
  { through }: Strikes,
): typeof handOver => {
  const answersTo = (handOvers: readonly H[], how: Strike["how"], had: readonly HandOverAnswer[] = []): readonly HandOverAnswer[] => {
    if (how === "is refused") return handOvers.map(() => refused);
    if (how === "is partly refused") return handOvers.map((_, index) => had[index] ?? refused);
    return handOvers.map((_, index) => (how === "is partly lost" && index === 0 ? (had[index] ?? silent) : silent));
  };
  return (handOvers) => {
    const call = handOvers.map(callOf).find((one) => one !== undefined);
    if (!call) return handOver(handOvers);
    return through(
      handOvers.length > 1 ? [call, "parts"] : call,
      (how) => handOver(how === "dies halfway" || how === "is partly refused" ? handOvers.slice(0, 1) : handOvers),
      (how, had) => answersTo(handOvers, how, had),
    );
  };
};

/** Who died does nothing more, whatever its program would do then. */
const mortal = (strikes: Strikes): Strikes => {
  let isDead = false;
  return {
    ...strikes,
    through: async (...struck) => {
      if (isDead) throw new Crash(`${struck[0]}`);
      try {
        return await strikes.through(...struck);
      } catch (error) {
        isDead = error instanceof Crash;
        throw error;
      }
    },
  };
};

/** Ports of one invocation of dispatch. Strikes fall on what there is: not on an empty batch, on no other counter, on no other event. */
export const struckPorts = <P extends DrainPorts>(ports: P, target: Aim["target"], falling: Strikes): P => {
  const strikes = mortal(falling);
  const { audit, targets, counters, resting, events } = ports;
  const { through } = strikes;
  const callOf = ({ target: { to } }: HandOver) => (to === target ? "handOver" : to === "undelivered" ? "shelter" : undefined);
  const unlessNone = <C, R>(call: "receive" | "giveBack", copies: readonly C[], effect: () => Promise<R>): Promise<R> =>
    copies.length === 0 ? effect() : through(call, effect);
  return {
    ...ports,
    audit: struckAudit(audit, strikes),
    targets: { handOver: struckHandOver(targets.handOver, callOf, strikes) },
    counters: {
      ...counters,
      add: (counter, n) => {
        const add = () => counters.add(counter, n);
        return counter.startsWith("resting#") && n > 0 ? through("count", add) : add();
      },
    },
    resting: {
      receive: async (place) => {
        const copies = await resting.receive(place);
        return unlessNone("receive", copies, async () => copies);
      },
      remove: async (place, copies) => {
        if (copies.length > 0)
          await through(
            "remove",
            () => resting.remove(place, copies),
            () => {},
          );
      },
      giveBack: (place, copies) => unlessNone("giveBack", copies, () => resting.giveBack(place, copies)),
    },
    events: {
      send: (outgoing) => {
        const send = () => events.send(outgoing);
        return outgoing.some(({ event }) => event.event === "pass-result") ? through("report", send) : send();
      },
    },
  };
};
