import type { BrokerId, LinkId } from "../../core/ids.ts";
import type { HandOver } from "../../core/ports.ts";
import type { Disturbance } from "../support/simulator/disturbance.ts";

/** A message that a link took, and when. */
export interface Crossing {
  readonly link: LinkId;
  readonly from: BrokerId;
  readonly destination: string;
  readonly at: number;
}

/** Writes down what dispatch hands over to links, whatever else goes wrong. */
export const noting = (disturbance: Disturbance, now: () => number): Disturbance & { readonly crossings: readonly Crossing[] } => {
  const crossings: Crossing[] = [];
  const note = ({ target, wire }: HandOver): void => {
    if (target.to !== "link") return;
    const { destination = "", from } = JSON.parse(wire.attributes.SpanMQ?.value ?? "{}") as { destination?: string; from: BrokerId };
    crossings.push({ link: target.link, from, destination, at: now() });
  };
  return {
    ...disturbance,
    crossings,
    invocation: (ports, work, about) => {
      const disturbed = disturbance.invocation(ports, work, about);
      const handOver: typeof ports.targets.handOver = async (handOvers) => {
        const answers = await disturbed.targets.handOver(handOvers);
        for (const [index, one] of handOvers.entries()) if (answers[index]?.answer === "accepted") note(one);
        return answers;
      };
      return { ...disturbed, targets: { handOver } };
    },
  };
};
