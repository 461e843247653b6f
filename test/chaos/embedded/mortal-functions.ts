import type { Environment, Handler } from "../../../local/functions.ts";
import type { Entry } from "../../../local/template/resource-type.ts";
import { type Call, calledBy, type Fate } from "../../support/hostile/call.ts";
import type { Layer } from "../../support/hostile/fault.ts";

/** How far one invocation comes. */
export interface Doom {
  /** It dies when so many of its calls have been made, before it has the last one's answer; or else when it would answer itself. */
  readonly afterCalls: number;
  /** Told what it had done last: `SendMessageBatch`, `start` or `end`. */
  readonly died: (after: string) => void;
}

export interface MortalFunctions {
  load(entry: string): Promise<Entry>;
  /** Stands before the layer: the dead call nobody any more. */
  gate(call: Call, next: Layer): Promise<Fate>;
}

/** An environment's, with one invocation after the other. */
interface Life {
  readonly handler: Handler;
  isDead: boolean;
  calls: number;
  doom: Doom | undefined;
  die: (after: string) => void;
}

/** An invocation died, as when its process is killed: Lambda gives its batch back. */
class Death extends Error {
  override readonly name = "Death";
}

/**
 * Functions of which an invocation may die at any call, and does at its function's time limit. Each environment calls by an address of its
 * own, so that it is known whose a call is; that of a dead one calls nobody any more, and a new one takes its place.
 */
export const mortalFunctions = (
  doomOf: (event: unknown) => Doom | undefined,
  read: (path: string) => Promise<Entry> = (path) => import(new URL(`../../../${path}`, import.meta.url).href),
): MortalFunctions => {
  const lives = new Map<string, Life | undefined>();

  const born = async (entry: Entry, environment: Environment): Promise<Life> => {
    const who = String(lives.size);
    const addressed = Object.entries(environment).map(([name, value]) => [
      name,
      name.startsWith("AWS_ENDPOINT_URL_") ? calledBy(value, who) : value,
    ]);
    lives.set(who, undefined);
    const handler = await entry.create(Object.fromEntries(addressed));
    const life: Life = { handler, isDead: false, calls: 0, doom: undefined, die: () => {} };
    lives.set(who, life);
    return life;
  };

  const invoke = async (life: Life, ...[event, context]: Parameters<Handler>): Promise<unknown> => {
    const { promise: death, reject } = Promise.withResolvers<never>();
    const die = (after: string): void => {
      if (life.isDead) return;
      life.isDead = true;
      life.doom?.died(after);
      reject(new Death(`died after ${after}`));
    };
    Object.assign(life, { calls: 0, doom: doomOf(event), die });
    if (life.doom?.afterCalls === 0) die("start");
    const limit = setTimeout(() => Object.assign(life, { isDead: true }), context.getRemainingTimeInMillis()).unref();
    const ends = async (): Promise<unknown> => {
      const answer = await life.handler(event, context);
      if (life.doom) die("end");
      return answer;
    };
    try {
      return await Promise.race([death, life.isDead ? death : ends()]);
    } finally {
      clearTimeout(limit);
    }
  };

  return {
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
      if (life.isDead) return "lost";
      life.calls += 1;
      if (life.calls === life.doom?.afterCalls) life.die(call.action);
      return life.isDead ? "lost" : fate;
    },
  };
};
