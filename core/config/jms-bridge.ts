import { type Destination, destinationKey, destinationOf } from "../destination/destination.ts";
import { type BrokerId, brokerId } from "../ids.ts";
import type { JmsBridgeFile, NetworkFile } from "./schema/network.ts";
import type { DeclaredConsumer } from "./slice.ts";

/** One end of a JMS bridge: a destination of a broker, or anybody's queue or topic by its ARN. */
export type BridgeEnd =
  | { readonly broker: BrokerId; readonly destination: Destination; readonly arn?: never }
  | { readonly arn: string; readonly broker?: never; readonly destination?: never };

/** A JMS bridge as configured, defaults filled in. */
export interface JmsBridgeConfig
  extends Pick<JmsBridgeFile, "name" | "qualityOfServiceMode" | "maxBatchSize" | "failureRetryInterval" | "addMessageIDInHeader"> {
  /** The broker beside whose source it runs. */
  readonly owner: BrokerId;
  readonly source: BridgeEnd;
  readonly target: BridgeEnd;
  /** Seconds for which a batch is gathered, from its first message on. */
  readonly batchWindow: number;
  /** Name of the durable subscription to a topic. */
  readonly subscription: string;
}

export const jmsBridgesOf = ({ brokers, jmsBridges }: NetworkFile): readonly JmsBridgeConfig[] =>
  jmsBridges.map(({ name, qualityOfServiceMode, maxBatchSize, failureRetryInterval, addMessageIDInHeader, ...file }) => ({
    name,
    qualityOfServiceMode,
    maxBatchSize,
    failureRetryInterval,
    addMessageIDInHeader,
    owner: brokerId(ownerOf(file.source, brokers) ?? ""),
    source: endOf(file.source),
    target: endOf(file.target),
    batchWindow: batchWindow(maxBatchSize, file.maxBatchTime),
    subscription: file.clientID && file.subscriptionName ? `${file.clientID}.${file.subscriptionName}` : `bridge.${name}`,
  }));

/** The longest that Lambda gathers. */
const longestWindow = 300;

/** The manual's -1 waits for a full batch for ever: here as long as Lambda does. A batch of one is full at once. */
const batchWindow = (maxBatchSize: number, maxBatchTime: number): number => {
  if (maxBatchSize === 1) return 0;
  return maxBatchTime === -1 ? longestWindow : Math.ceil(maxBatchTime / 1_000);
};

type EndFile = JmsBridgeFile["source"];

const endOf = ({ broker, destination = "", arn }: EndFile): BridgeEnd =>
  arn === undefined ? { broker: brokerId(broker ?? ""), destination: destinationOf(destination) } : { arn };

/** Then it has a queue of its own, subscribed to the topic. */
export const readsTopic = ({ source }: Pick<JmsBridgeConfig, "source">): boolean =>
  source.arn === undefined ? source.destination.kind === "topic" : source.arn.split(":")[2] === "sns";

/** A source by ARN is served by the first broker of its region: an event source crosses none. */
export const ownerOf = (
  { broker, arn }: Pick<EndFile, "broker" | "arn">,
  brokers: Readonly<Record<string, { readonly region?: unknown }>>,
): string | undefined => {
  if (arn === undefined) return broker;
  const region = arn.split(":")[3];
  return Object.keys(brokers).find((id) => brokers[id]?.region === region);
};

/** A bridge consumes its source: peers send what arrives there. */
export const bridgeConsumers = (bridges: readonly JmsBridgeConfig[], broker: string): readonly DeclaredConsumer[] =>
  bridges.flatMap(({ source, subscription: subscriptionName }) => {
    if (source.broker !== broker) return [];
    const durable = source.destination.kind === "topic" ? { durable: { clientID: "bridge", subscriptionName } } : {};
    return [{ destination: destinationKey(source.destination), count: 1, priority: 0, ...durable }];
  });

/** Destinations that a broker needs since bridges end there. */
export const bridgedAt = (bridges: readonly JmsBridgeConfig[], broker: string): readonly Destination[] =>
  bridges.flatMap(({ source, target }) => [source, target]).flatMap((end) => (end.broker === broker ? [end.destination] : []));
