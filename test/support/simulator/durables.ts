import type { SimulatedClient } from "./client.ts";
import type { SimulatedNetwork } from "./network.ts";

/** A durable subscription of its own for each broker, or client; its subscriber is there when this is over. */
export const subscribeDurable = async (
  net: SimulatedNetwork,
  at: string,
  topic: string,
  clientID = `client-${at}`,
): Promise<SimulatedClient> => {
  const client = net.connect(at);
  await client.consume(topic, { durable: { clientID, subscriptionName: "audit" } });
  await net.run();
  return client;
};

export const unsubscribeDurable = async (net: SimulatedNetwork, at: string, clientID = `client-${at}`): Promise<void> => {
  await net.connect(at).unsubscribe({ clientID, subscriptionName: "audit" });
  await net.run();
};

/** Links that a broker holds a topic's demand for: network durables, as the original counts them. */
export const linksWithDemand = async (net: SimulatedNetwork, at: string, topic: string): Promise<readonly string[]> =>
  (await net.linkCandidates(at, topic)).map((one) => (one.to === "link" ? one.link : "")).toSorted();

/** A topic that isn't there yet is made by a message through the ingress. */
export const sendAndRun = async (net: SimulatedNetwork, at: string, topic: string, texts: readonly string[]): Promise<void> => {
  net.send(at, topic, texts);
  await net.run();
};
