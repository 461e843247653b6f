import type { Answer, Call, Fate, Input, Service } from "./call.ts";

export type Layer = (call: Call) => Promise<Fate>;

/** What a fault is made with. */
export interface Tools {
  /** Draws from the seed whether to strike this call; nothing is counted yet. The first call that could be struck always is. */
  draws(call: Call): boolean;
  /** Counts one that took effect. */
  fired(): void;
  /** Both: it strikes here and now. */
  strikes(call: Call): boolean;
  /** Whether the fault was asked for at all: a refusal needs no draw. */
  isOn(): boolean;
  /** From 0 up to 1, drawn from the seed. */
  chance(call: Call): number;
  /** Milliseconds as AWS counts them: they run faster where the layer says so. */
  now(): number;
  /** A call of the layer's own, past every fault. */
  ask(service: Service, region: string, action: string, input: Input): Promise<Answer>;
}

/** A way to misbehave: sees every call, and carries on by `next`. */
export type Fault = (tools: Tools) => (call: Call, next: Layer) => Promise<Fate>;
