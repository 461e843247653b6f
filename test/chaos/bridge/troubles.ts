import type { BridgePorts } from "../../../core/jms-bridge/ports.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { RestingCopy } from "../../../core/ports.ts";
import type { bridgeWorld, TargetMood } from "../../support/bridging.ts";
import { Crash } from "../../support/simulator/disturbance.ts";
import { bodiesIn, type Cell } from "../cells.ts";
import type { Fates } from "../fates.ts";
import type { Ledger } from "../ledger.ts";
import type { Reached } from "../reached.ts";

type BridgeWorld = ReturnType<typeof bridgeWorld>;

/** One in so many calls. */
const [rare, often] = [25, 12];
/** Of which there are few calls. */
const rarities: Readonly<Record<string, number>> = { release: 8, order: 8 };

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

/** Makes a bridge's ports fail, die and lose answers. Whoever receives copies at the source makes them known. */
export const disturbPorts = ({ ports, world }: BridgeWorld, { cell, fates, ledger, reached, mood }: BridgeTroubles) => {
  /** Ids in claims are those at the source, or what the bridge gave to what it parked. */
  const bodyById = new Map<string, string>();
  const know = (copies: readonly RestingCopy[]): void => {
    for (const { id, body, attributes } of copies) {
      const [text] = bodiesIn(body);
      const ids = [id, body.startsWith("{") && JSON.parse(body).MessageId, idOf({ attributes })];
      for (const known of ids) if (known && text) bodyById.set(known, text);
    }
  };
  /** What the target took and the audit doesn't know yet, by the id that the bridge gave it. */
  const open = new Map<string, string>();
  const strikes = (fault: string, port: string, rarity = often): boolean => fates.strikes(fault, port, rarity, cell);

  /** Its effect stays, its handler may die. */
  const mortal =
    <A extends readonly unknown[], R>(port: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const answer = await call(...args);
      if (!strikes("crash", port, rarities[port] ?? rare)) return answer;
      ledger.opened("bridge-unsettled", [...open.values()]);
      open.clear();
      throw new Crash(port);
    };

  const { targets, audit, sourceQueue, parked, eventSource, orders } = { ...ports };
  const bodiesOf = (claims: readonly { readonly key: string }[]): readonly string[] =>
    claims.flatMap(({ key }) => bodyById.get(key.slice(key.lastIndexOf("|") + 1)) ?? []);
  const disturbed: Pick<BridgePorts, "targets" | "audit" | "sourceQueue" | "parked" | "eventSource" | "orders"> = {
    targets: {
      isThere: mortal("look at the target", targets.isThere),
      handOver: mortal("hand-over", async (handOvers) => {
        const refused = handOvers
          .filter(({ to }) => to === "target" && strikes("partial failure", "hand-over"))
          .map(({ wire }) => wire.body);
        const deaf = handOvers.filter(({ to }) => to === "target" && strikes("lost answer", "hand-over")).map(({ wire }) => wire.body);
        const moodOf = (body: string): TargetMood =>
          mood() !== "takes" ? mood() : refused.includes(body) ? "refuses" : deaf.includes(body) ? "deaf" : "takes";
        world.moodOf = moodOf; // until another live handler calls
        if (mood() !== "takes" && handOvers.some(({ to }) => to === "target")) fates.struck(`target ${mood()}`, "hand-over", cell);
        const answers = await targets.handOver(handOvers);
        for (const [index, { to, wire }] of handOvers.entries()) {
          const [body] = bodiesIn(wire.body);
          const answer = answers[index]?.answer;
          if (body && answer !== "refused") reached.note([body]);
          if (!body || to !== "target") continue;
          if (answer === "accepted") open.set(idOf(wire), body);
          if (answer === "silent" && moodOf(body) === "deaf") ledger.opened("bridge-unsettled", [body]);
        }
        return answers;
      }),
    },
    audit: {
      claim: mortal("claim", async (claims, now) => {
        const answers = await audit.claim(claims, now);
        return answers.map((answer) => (strikes("lost answer", "claim") ? { answer: "unknown", why: "the answer was lost" } : answer));
      }),
      takeOver: mortal("take-over", audit.takeOver),
      settle: mortal("settle", async (claims, now) => {
        if (strikes("fails for good", "settle")) {
          ledger.opened("settle-failed", bodiesOf(claims));
          return claims.map(() => "unsettled");
        }
        const answers = await audit.settle(claims, now);
        for (const body of bodiesOf(claims)) for (const [id, one] of open) if (one === body) open.delete(id);
        return answers.map((answer) => (strikes("lost answer", "settle") ? "unsettled" : answer));
      }),
      release: mortal("release", audit.release),
      progress: audit.progress,
    },
    sourceQueue: {
      remove: mortal("remove", async (copies) => {
        const removed = await sourceQueue.remove(copies);
        return removed.map((isGone) => (strikes("lost answer", "remove") ? false : isGone));
      }),
    },
    parked: {
      receive: mortal("receive", async (most) => {
        const copies = await parked.receive(most);
        know(copies);
        return copies;
      }),
      giveBack: mortal("give back", parked.giveBack),
      remove: mortal("remove parked", parked.remove),
    },
    eventSource: {
      turn: mortal("switch", async (to) => {
        world.isSwitchStuck = strikes("throttling", "switch");
        return eventSource.turn(to);
      }),
    },
    orders: { send: mortal("order", orders.send) },
  };
  Object.assign(ports, disturbed);
  return { know };
};
