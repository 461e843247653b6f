import type { Gateway } from "../world/gateway.ts";
import type { World } from "../world/network.ts";
import { depthOf } from "../world/queues.ts";
import { until } from "../world/until.ts";

/** A peer that can be told to hang, and the breaker that guards the link to it. */
export interface Peer {
  hang(): void;
  /** It answers again, once the breaker is open: waits until it has closed. */
  answer(): Promise<void>;
  /** Waits until nothing rests for it, nor is under way. */
  caughtUp(): Promise<void>;
}

export const peerOf = ({ a, b, network }: World, gateway: Gateway): Peer => {
  const isBreakerOpen = async (): Promise<boolean> => {
    const item = await a.brain.read("broker", "", "broker");
    return (item?.value.breakers ?? []).length > 0;
  };
  return {
    hang: gateway.hang,
    async answer() {
      await until(isBreakerOpen, "the breaker opens");
      gateway.answer();
      const isClosed = async (): Promise<boolean> => {
        await network.tickNow("a"); // sends a probe, but not twice in ten seconds
        return !(await isBreakerOpen());
      };
      await until(isClosed, "the breaker closes", 100);
    },
    caughtUp: () =>
      until(async () => {
        const depths = await Promise.all([a.ingress, a.queue("far"), a.undelivered, b.inbound].map(depthOf));
        return depths.every((depth) => depth === 0);
      }, "what rests for the peer reaches it"),
  };
};
