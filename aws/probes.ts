import type { SQSClient } from "@aws-sdk/client-sqs";
import { encodeProbe } from "../core/message/probe.ts";
import type { Probes } from "../core/ports.ts";
import { sendToQueue } from "./sends.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** Probes go the way of messages, through the link's inbound; `peerSqs` makes one attempt of 3 s. Whatever isn't accepted is no peer: the next probe asks again. */
export const sqsProbes = (whereabouts: () => Promise<Whereabouts>, peerSqs: (region: string) => SQSClient): Probes => ({
  send: async (hello) => {
    const inbound = (await whereabouts()).inbound(hello.link);
    if (!inbound) return "no-peer";
    const [answer] = await sendToQueue(peerSqs(inbound.region), inbound.url, [{ wire: encodeProbe(hello) }]);
    return answer?.answer === "accepted" ? "sent" : "no-peer";
  },
});
