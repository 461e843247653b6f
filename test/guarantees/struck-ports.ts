import type { DrainPorts } from "../../core/broker/dispatch/drain.ts";
import type { Audit } from "../../core/carry/audit.ts";
import type { HandOverAnswer } from "../../core/ports.ts";
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
  settle: (claims, now) =>
    through(
      "settle",
      () => audit.settle(claims, now),
      () => claims.map(() => "unsettled"),
    ),
  release: audit.release,
  progress: audit.progress,
});

/** What is handed to one kind of target is struck. */
export const struckHandOver = <H>(
  handOver: (handOvers: readonly H[]) => Promise<readonly HandOverAnswer[]>,
  isMeant: (handOver: H) => boolean,
  { through }: Strikes,
): typeof handOver => {
  const refused: HandOverAnswer = { answer: "refused", cause: "throttled", why: "slow down" };
  const silent: HandOverAnswer = { answer: "silent", why: "no answer in 3 s" };
  return (handOvers) => {
    if (!handOvers.some(isMeant)) return handOver(handOvers);
    return through(
      "handOver",
      (how) => handOver(how === "dies halfway" ? handOvers.slice(0, 1) : handOvers),
      (how) => handOvers.map(() => (how === "is refused" ? refused : silent)),
    );
  };
};

/** Ports of one invocation of dispatch. Strikes fall on what there is: not on an empty batch, on no other counter, on no other event. */
export const struckPorts = <P extends DrainPorts>(ports: P, target: Aim["target"], strikes: Strikes): P => {
  const { audit, targets, counters, resting, events } = ports;
  const { through } = strikes;
  return {
    ...ports,
    audit: struckAudit(audit, strikes),
    targets: { handOver: struckHandOver(targets.handOver, (one) => [target].flat().includes(one.target.to), strikes) },
    counters: {
      ...counters,
      add: (counter, n) => {
        const add = () => counters.add(counter, n);
        return counter.startsWith("resting#") ? through("count", add) : add();
      },
    },
    resting: {
      ...resting,
      receive: async (place) => {
        const copies = await resting.receive(place);
        return copies.length === 0 ? copies : through("receive", async () => copies);
      },
      remove: (place, copies) => {
        const remove = () => resting.remove(place, copies);
        return copies.length === 0 ? remove() : through("remove", remove);
      },
    },
    events: {
      send: (outgoing) => {
        const send = () => events.send(outgoing);
        return outgoing.some(({ event }) => event.event === "pass-result") ? through("report", send) : send();
      },
    },
  };
};
