import { Crash, type Disturbance } from "../simulator/disturbance.ts";
import type { Fates } from "./fates.ts";

/** One in so many calls. */
const [seldom, rare, often, usual] = [120, 36, 12, 3];
/** The more calls there are of a kind, the rarer. */
const rarities: Readonly<Record<string, number>> = {
  table: seldom,
  probe: rare,
  "control's event": rare,
  subscribe: usual,
  unsubscribe: usual,
  make: usual,
  unmake: usual,
  "order of a pass": usual,
};

/** Milliseconds: an invocation hangs no longer, and not twice; it would die at its limit. */
const longestHang = 40_000;

/** An invocation of control may fail or hang at any call, or die after it: the dead call nothing any more. */
export const mortalControl =
  (fates: Fates): Disturbance["control"] =>
  (ports, about, others) => {
    let isDead = false;
    let hasHung = false;
    const hang = (): Promise<void> => {
      hasHung = true;
      return others.goOn(Math.floor(fates.draw("hangs for") * longestHang));
    };
    const mortal =
      <A extends readonly unknown[], R>(port: string, call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const rarity = rarities[port] ?? often;
        if (isDead) throw new Crash(port);
        if (fates.strikes("throttling", port, rarity, args, about)) throw new Crash(`${port}: throttled`);
        if (!hasHung && others.canGoOn() && fates.strikes("slow invocation", port, rarity, args, about)) await hang();
        const answer = await call(...args);
        if (!fates.strikes("crash", port, rarity, args, about)) return answer;
        isDead = true;
        throw new Crash(port);
      };
    const disturbed = {
      ...ports,
      brain: { ...ports.brain, write: mortal("table", ports.brain.write) as typeof ports.brain.write },
      counters: { ...ports.counters, add: mortal("control's counter", ports.counters.add) },
      events: { send: mortal("control's event", ports.events.send) },
      probes: { send: mortal("probe", ports.probes.send) },
      resources: { make: mortal("make", ports.resources.make), remove: mortal("unmake", ports.resources.remove) },
      subscriptions: {
        ...ports.subscriptions,
        subscribe: mortal("subscribe", ports.subscriptions.subscribe),
        unsubscribe: mortal("unsubscribe", ports.subscriptions.unsubscribe),
      },
      passes: { start: mortal("order of a pass", ports.passes.start) },
    };
    return { ports: disturbed, hasDied: () => isDead };
  };
