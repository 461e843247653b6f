import type { Environment, Handler } from "../../../local/functions.ts";
import type { Entry } from "../../../local/template/resource-type.ts";
import { type Call, calledBy, type Fate } from "../../support/hostile/call.ts";
import type { Layer } from "../../support/hostile/fault.ts";

/** What befalls one invocation, once. */
export interface Lot {
  /** At its start, or when a call is done and before it has the answer; or else when it would answer itself. `done`: its calls so far. */
  readonly isDue: (done: readonly string[]) => boolean;
  /** It waits for this. */
  readonly befalls: () => Promise<"dies" | "goes on">;
}

export interface MortalFunctions {
  load(entry: string): Promise<Entry>;
  /** Stands before the layer: the dead call nobody any more. The caller is known by its region and a number: `us-east-1.17`. */
  gate(call: Call, next: Layer): Promise<Fate>;
  /** What the invocation is about whose call it is. */
  eventOf(call: Call): unknown;
}

export interface MortalOptions {
  readonly lotOf: (event: unknown) => Lot | undefined;
  /** `after`: what it did last, `SendMessageBatch` for example, `start`, `end`, or `its time`. */
  readonly onDeath: (event: unknown, after: string, by: string) => void;
  /** @default the source files of this repository */
  readonly read?: (path: string) => Promise<Entry>;
}

/** An environment's, with one invocation after the other. */
interface Life {
  readonly who: string;
  readonly handler: Handler;
  event: unknown;
  isDead: boolean;
  done: string[];
  lot: Lot | undefined;
  die: (after: string) => void;
}

/** An invocation died, as when its process is killed: Lambda gives its batch back. */
class Death extends Error {
  override readonly name = "Death";
}

/**
 * Functions of which an invocation may die or be slow at any call, and dies at its function's time limit. Each environment calls by an
 * address of its own, so that it is known whose a call is; that of a dead one calls nobody any more, and a new one takes its place.
 */
export const mortalFunctions = ({ lotOf, onDeath, read = readSource }: MortalOptions): MortalFunctions => {
  const lives = new Map<string, Life | undefined>();

  const born = async (entry: Entry, environment: Environment): Promise<Life> => {
    const who = `${environment.AWS_REGION}.${lives.size}`;
    const addressed = Object.entries(environment).map(([name, value]) => [
      name,
      name.startsWith("AWS_ENDPOINT_URL_") ? calledBy(value, who) : value,
    ]);
    lives.set(who, undefined);
    const handler = await entry.create(Object.fromEntries(addressed));
    const life: Life = { who, handler, event: undefined, isDead: false, done: [], lot: undefined, die: () => {} };
    lives.set(who, life);
    return life;
  };

  const meetsLot = async (life: Life, after: string): Promise<void> => {
    const { lot, die } = life;
    life.lot = undefined;
    if ((await lot?.befalls()) === "dies") die(after);
  };

  const invoke = async (life: Life, ...[event, context]: Parameters<Handler>): Promise<unknown> => {
    const { promise: death, reject } = Promise.withResolvers<never>();
    const die = (after: string): void => {
      if (life.isDead) return;
      life.isDead = true;
      onDeath(event, after, life.who);
      reject(new Death(`died after ${after}`));
    };
    Object.assign(life, { event, done: [], lot: lotOf(event), die });
    const limit = setTimeout(() => die("its time"), context.getRemainingTimeInMillis()).unref();
    const live = async (): Promise<unknown> => {
      if (life.lot?.isDue([])) await meetsLot(life, "start");
      if (life.isDead) return death;
      const answer = await life.handler(event, context);
      await meetsLot(life, "end");
      return life.isDead ? death : answer;
    };
    try {
      return await Promise.race([death, live()]);
    } finally {
      clearTimeout(limit);
    }
  };

  return {
    eventOf: ({ by = "" }) => lives.get(by)?.event,
    load: async (path) => {
      const entry = await read(path);
      return {
        create: async (environment) => {
          let alive = await born(entry, environment);
          return async (event, context) => {
            if (alive.isDead) alive = await born(entry, environment);
            return invoke(alive, event, context);
          };
        },
      };
    },
    gate: async (call, next) => {
      const life = lives.get(call.by ?? "");
      if (!life) return next(call);
      if (life.isDead) return "lost";
      const fate = await next(call);
      life.done.push(call.action);
      if (life.lot?.isDue(life.done)) await meetsLot(life, call.action);
      return life.isDead ? "lost" : fate;
    },
  };
};

const readSource = (path: string): Promise<Entry> => import(new URL(`../../../${path}`, import.meta.url).href);
