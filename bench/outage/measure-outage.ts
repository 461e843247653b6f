import { openGateway } from "../world/gateway.ts";
import { startWorld } from "../world/network.ts";
import { type CatchUp, catchUp } from "./catch-up.ts";
import { type HealthyQueue, watchHealthyQueue } from "./healthy-queue.ts";
import { peerOf } from "./peer.ts";

/** What a peer that hangs does to others, and how fast its messages come once it answers. */
export interface Outage {
  readonly healthyQueue: HealthyQueue;
  readonly catchUp: CatchUp;
}

/** Two brokers of their own, with a gateway before SQS that gives no answer to what is sent to the peer's inbound queue. */
export const measureOutage = async (messages: number, say: (line: string) => void): Promise<Outage> => {
  const gateways: Awaited<ReturnType<typeof openGateway>>[] = [];
  const isForPeer = (action: string, body: string): boolean => action.startsWith("SendMessage") && body.includes("-b-in-a-");
  say("starting two brokers, one of which will hang");
  const world = await startWorld({
    before: async (services) => {
      const gateway = await openGateway({ service: services.sqs, hangs: isForPeer });
      gateways.push(gateway);
      return { ...services, sqs: gateway.address };
    },
  });
  world.recorder.stop();
  const [gateway] = gateways;
  try {
    if (!gateway) throw new Error("the network came up without its gateway");
    const peer = peerOf(world, gateway);
    return {
      healthyQueue: await watchHealthyQueue(world, peer, Math.ceil(messages / 4), say),
      catchUp: await catchUp(world, peer, messages, say),
    };
  } finally {
    await world.stop();
    await gateway?.stop();
  }
};
