import type { BridgePorts } from "../../../core/jms-bridge/ports.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { HandOverAnswer, RestingCopy } from "../../../core/ports.ts";
import type { bridgeWorld, TargetMood } from "../../support/bridging.ts";
import { Crash } from "../../support/simulator/disturbance.ts";
import { bodiesIn, type Cell } from "../cells.ts";
import type { Fates } from "../fates.ts";
import type { Ledger } from "../ledger.ts";
import type { Reached } from "../reached.ts";
import { takenOver } from "../taken-over.ts";
import { unsettled } from "./unsettled.ts";

type BridgeWorld = ReturnType<typeof bridgeWorld>;

/** One in so many calls. */
const [rare, often, usual] = [25, 12, 4];
/** Of which there are few calls. */
const rarities: Readonly<Record<string, number>> = { release: 8, order: 8 };

const slowDown: HandOverAnswer = { answer: "refused", cause: "throttled", why: "slow down" };
const nothingSaid: HandOverAnswer = { answer: "silent", why: "nothing said" };

export interface BridgeTroubles {
  readonly cell: Cell;
  readonly fates: Fates;
  readonly ledger: Pick<Ledger, "opened">;
  /** By what some target accepted, or may have. */
  readonly reached: Reached;
  /** How the target is, but for single messages of a batch. */
  readonly mood: () => TargetMood;
}

const idOf = ({ attributes }: Pick<WireMessage, "attributes">): string => JSON.parse(attributes.SpanMQ?.value ?? "{}").id;

/** Makes the ports of each invocation of a bridge fail, die and lose answers. Whoever receives copies at the source makes them known. */
export const bridgeTroubles = (world: BridgeWorld["world"], { cell, fates, ledger, reached, mood }: BridgeTroubles) => {
  /** Ids in claims are those at the source, or what the bridge gave to what it parked. */
  const bodyById = new Map<string, string>();
  const know = (copies: readonly RestingCopy[]): void => {
    for (const { id, body, attributes } of copies) {
      const [text] = bodiesIn(body);
      const ids = [id, body.startsWith("{") && JSON.parse(body).MessageId, idOf({ attributes })];
      for (const known of ids) if (known && text) bodyById.set(known, text);
    }
  };
  const overtaken = takenOver(() => world.now);
  const strikes = (fault: string, port: string, rarity = often): boolean => fates.strikes(fault, port, rarity, cell);
  const portsOf = (ports: BridgePorts): BridgePorts => {
    const open = unsettled((bodies) => ledger.opened("bridge-unsettled", bodies));
    const die = (why: string): never => {
      open.leave();
      throw new Crash(why);
    };
    /** The call has no effect, and says so by an error. */
    const throttle = (port: string): void => {
      if (strikes("throttling", port)) die(`${port}: throttled`);
    };

    /** Its effect stays, its handler may die. */
    const mortal =
      <A extends readonly unknown[], R>(port: string, call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const answer = await call(...args);
        return strikes("crash", port, rarities[port] ?? rare) ? die(port) : answer;
      };

    const { targets, audit, sourceQueue, parked, eventSource, orders } = ports;
    const bodiesOf = (claims: readonly { readonly key: string }[]): readonly string[] =>
      claims.flatMap(({ key }) => bodyById.get(key.slice(key.lastIndexOf("|") + 1)) ?? []);
    const handOver: typeof targets.handOver = async (handOvers) => {
      const refused = handOvers.filter(({ to }) => to === "target" && strikes("partial failure", "hand-over")).map(({ wire }) => wire.body);
      const deaf = handOvers.filter(({ to }) => to === "target" && strikes("lost answer", "hand-over")).map(({ wire }) => wire.body);
      const moodOf = (body: string): TargetMood =>
        mood() !== "takes" ? mood() : refused.includes(body) ? "refuses" : deaf.includes(body) ? "deaf" : "takes";
      world.moodOf = moodOf; // until another live handler calls
      if (mood() !== "takes" && handOvers.some(({ to }) => to === "target")) fates.struck(`target ${mood()}`, "hand-over", cell);
      const answers = await targets.handOver(handOvers);
      return handOvers.map(({ to, wire }, index) => {
        const [body] = bodiesIn(wire.body);
        const { [index]: answer = nothingSaid } = answers;
        if (body && answer.answer !== "refused") reached.note([body]);
        if (to === "undelivered" && answer.answer === "accepted" && strikes("lost answer", "parking")) return nothingSaid;
        if (body && to === "target" && answer.answer === "accepted") open.took(idOf(wire), body);
        if (body && to === "target" && answer.answer === "silent" && moodOf(body) === "deaf") ledger.opened("bridge-unsettled", [body]);
        return answer;
      });
    };

    const disturbed: Pick<BridgePorts, "targets" | "audit" | "sourceQueue" | "parked" | "eventSource" | "orders"> = {
      targets: {
        isThere: mortal("look at the target", targets.isThere),
        handOver: mortal("hand-over", async (handOvers) => {
          const throttled = handOvers.map(() => strikes("throttling", "hand-over"));
          const going = handOvers.filter((_, index) => !throttled[index]);
          const answers = (going.length > 0 ? await handOver(going) : []).values();
          return throttled.map((isThrottled) => (isThrottled ? slowDown : (answers.next().value ?? nothingSaid)));
        }),
      },
      audit: {
        claim: mortal("claim", async (claims, now) => {
          if (strikes("throttling", "claim", rare)) return claims.map(() => ({ answer: "unknown", why: "throttled" }));
          const answers = await audit.claim(claims, now);
          overtaken.claimed(claims.filter((_, index) => answers[index]?.answer === "granted"));
          return answers.map((answer) => (strikes("lost answer", "claim") ? { answer: "unknown", why: "the answer was lost" } : answer));
        }),
        takeOver: mortal("take-over", async (...taking) => {
          const answer = await audit.takeOver(...taking);
          if (answer === "granted") overtaken.note(...taking);
          return strikes("lost answer", "take-over", usual) ? "lost" : answer;
        }),
        settle: mortal("settle", async (claims, now) => {
          if (strikes("fails for good", "settle")) {
            open.leave(bodiesOf(claims));
            return claims.map(() => "unsettled");
          }
          const answers = await audit.settle(claims, now);
          ledger.opened("clocks-apart", bodiesOf(claims.filter(overtaken.was)));
          open.settled(bodiesOf(claims));
          return answers.map((answer) => (strikes("lost answer", "settle") ? "unsettled" : answer));
        }),
        release: mortal("release", async (claims) => {
          if (strikes("fails for good", "release")) return claims.map(() => "unreleased");
          const answers = await audit.release(claims);
          return strikes("lost answer", "release") ? answers.map(() => "unreleased") : answers;
        }),
        progress: audit.progress,
      },
      sourceQueue: {
        remove: mortal("remove", async (copies) => {
          if (strikes("throttling", "remove")) return copies.map(() => false);
          const removed = await sourceQueue.remove(copies);
          return removed.map((isGone) => (strikes("lost answer", "remove") ? false : isGone));
        }),
      },
      parked: {
        receive: mortal("receive", async (most) => {
          throttle("receive");
          const copies = await parked.receive(most);
          know(copies);
          return copies;
        }),
        giveBack: mortal("give back", async (copies) => {
          throttle("give back");
          await parked.giveBack(copies);
        }),
        remove: mortal("remove parked", async (copies) => {
          if (strikes("throttling", "remove parked")) return copies.map(() => false);
          return parked.remove(copies);
        }),
      },
      eventSource: {
        turn: mortal("switch", async (to) => {
          world.isSwitchStuck = strikes("throttling", "switch");
          return eventSource.turn(to);
        }),
      },
      orders: {
        send: mortal("order", async (...order) => {
          throttle("order");
          await orders.send(...order);
        }),
      },
    };
    return { ...ports, ...disturbed };
  };
  return { know, portsOf };
};
