import type { NetworkInput } from "../../core/config/define-network.ts";
import { absenceOf } from "../../core/config/schema/concept.ts";
import { connectorConcept } from "../../core/config/schema/connector.ts";
import { policyConcept } from "../../core/config/schema/policy.ts";
import { destinationOf, optionsOf } from "../../core/destination/destination.ts";
import { durableId } from "../../core/destination/durable-queue.ts";
import type { Habit, SimulatedClient } from "../support/simulator/client.ts";
import { bodies, type ProducedFields, type SimulatedNetwork, simulate } from "../support/simulator/network.ts";
import { networkSubscriptions, type Subscription } from "./network-subscriptions.ts";
import type {
  Produce,
  RecordedConnector,
  RecordedConsumer,
  RecordedDurable,
  RecordedHeaders,
  RecordedPolicy,
  Scenario,
  Step,
} from "./recording.ts";

/** One broker at one moment. */
export interface State {
  /** Messages there, those in flight included, by queue. */
  readonly depths: ReadonlyMap<string, number>;
  readonly subscriptions: readonly Subscription[];
  /** Clients' durable subscriptions. */
  readonly durables: readonly RecordedDurable[];
}
export type Snapshot = ReadonlyMap<string, State>;

/** A message as a consumer of ours got it. */
export type Received = SimulatedClient["received"][number];

export interface Played {
  /** Bodies in order of receipt, by consumer. */
  readonly received: ReadonlyMap<string, readonly string[]>;
  readonly consumers: readonly RecordedConsumer[];
  /** The last one of each consumer. */
  readonly last: ReadonlyMap<string, Received>;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly end: Snapshot;
  readonly problems: readonly string[];
}

/** Runs a recorded program on simulated brokers of ours. */
export const play = async (scenario: Scenario): Promise<Played> => {
  const net = await simulate(networkFor(scenario));
  const opened: { readonly as: RecordedConsumer; readonly client: SimulatedClient; readonly consumer: string }[] = [];
  const snapshots = new Map<string, Snapshot>();
  const brokers = scenario.topology.brokers.map(({ name }) => name);

  const browsed: { readonly as: RecordedConsumer; readonly texts: readonly string[] }[] = [];
  /** It sees what is there when it is opened. */
  const browse = async (as: RecordedConsumer): Promise<void> => {
    const [destination = as.dest] = as.dest.split("?", 1);
    const messages = await net.connect(ourId(as.broker)).browse(destination, as.selector ?? undefined);
    browsed.push({ as, texts: messages.map(({ body }) => (body.type === "text" ? body.text : "")) });
  };
  const open = async (consumer: RecordedConsumer): Promise<void> => {
    if (consumer.browser) return browse(consumer);
    const ids = consumer.count === undefined ? [consumer.id] : bodiesOf(consumer.id, consumer.count);
    for (const id of ids) {
      const client = net.connect(ourId(consumer.broker));
      opened.push({ as: { ...consumer, id }, client, consumer: await client.consume(...consuming(consumer)) });
    }
  };
  /** A broker of ours doesn't restart: what others see of it is that its clients are gone, or that it can't be reached. */
  const leave = async (broker: string): Promise<void> => {
    for (const { as, client } of opened) if (as.broker === broker) await client.close();
  };
  const take = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "open":
        return open(step.consumer);
      case "close":
        for (const { as, client } of opened) if (as.id === step.consumer || as.id.startsWith(`${step.consumer}#`)) await client.close();
        return;
      case "produce":
        return produce(net, step);
      case "createDestination":
        return ask(net, step.broker, step.dest);
      case "startConnector":
      case "stopConnector": {
        const connector = scenario.topology.connectors.find(({ id }) => id === step.connector);
        if (connector) await net.command(ourId(connector.from), nameOf(connector), step.do === "startConnector" ? "start" : "stop");
        return;
      }
      case "unsubscribe":
        return net.connect(ourId(step.broker)).unsubscribe({ clientID: step.clientId, subscriptionName: step.durableName });
      case "restartBroker":
        return leave(step.broker);
      case "stopBroker":
        await leave(step.broker);
        await net.run(settling);
        return net.cut(ourId(step.broker));
      case "startBroker":
        return net.heal(ourId(step.broker));
      case "wait":
        return net.run(step.ms);
      case "snapshot":
        return void snapshots.set(step.label, await look(net, brokers, opened));
      default:
        throw new Error(`step ${step.do} isn't played: name a missing feature that tells it`);
    }
  };

  for (const consumer of scenario.setup.consumers) {
    await open(consumer);
    await net.run(settling);
  }
  for (const step of scenario.action) {
    await take(step);
    if (!("noSettle" in step && step.noSettle) && step.do !== "wait" && step.do !== "snapshot") await net.run(settling);
  }
  await net.run(settling);
  const byId = Map.groupBy(opened, ({ as }) => as.id); // one that comes back is the same
  return {
    received: new Map([
      ...browsed.map(({ as, texts }) => [as.id, texts] as const),
      ...[...byId].map(([id, its]) => [id, its.flatMap(({ client, consumer }) => client.bodies(consumer))] as const),
    ]),
    consumers: [...browsed.map(({ as }) => as), ...[...byId.values()].flatMap(([first]) => (first ? [first.as] : []))],
    last: new Map(
      [...byId].flatMap(([id, its]) => its.flatMap(({ client }) => client.received.slice(-1)).map((one) => [id, one] as const)),
    ),
    snapshots,
    end: await look(net, brokers, opened),
    problems: net.problems(),
  };
};

/** Milliseconds until subscriptions, dampings and passes that a step set off are over. */
const settling = 130_000;

/** A broker's name as ours may be: lower-case letters and digits. */
export const ourId = (broker: string): string => broker.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const nameOf = ({ id, attributes }: RecordedConnector): string => String(attributes.name ?? id).replaceAll(/[^A-Za-z0-9._-]/g, "_");
const bodiesOf = (id: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${id}#${n + 1}`);

/** The recorded attributes are the keys of our configuration, but for those it refuses; real brokers make whatever is named. */
const networkFor = ({ topology }: Scenario): NetworkInput =>
  ({
    network: "oracle",
    brokers: Object.fromEntries(
      topology.brokers.map(({ name, advisorySupport, destinations = [], policies = [] }, index) => [
        ourId(name),
        {
          region: `eu-west-${index + 1}`,
          ...(advisorySupport !== undefined && { advisorySupport }),
          autoCreateDestinations: ["queue://>", "topic://>"],
          destinationPolicies: [...policies.map(policyFor), { destination: "topic://>", enableAudit: false }], // as there: AUD-3
          queues: namesOf("queue", destinations),
          topics: namesOf("topic", destinations),
          networkConnectors: topology.connectors.filter(({ from }) => from === name).map(connectorFor),
        },
      ]),
    ),
  }) as NetworkInput;

const policyFor = ({ dest, individualDeadLetter, ...policy }: RecordedPolicy) => {
  const settings = Object.entries(policy).filter(([key]) => absenceOf(policyConcept, key) === undefined);
  const prefixes = { queuePrefix: individualDeadLetter, topicPrefix: individualDeadLetter };
  const deadLetterStrategy = individualDeadLetter ? { individualDeadLetterStrategy: prefixes } : undefined;
  return { destination: dest, ...Object.fromEntries(settings), ...(deadLetterStrategy && { deadLetterStrategy }) };
};

const connectorFor = (connector: RecordedConnector) => {
  const attributes = Object.entries(connector.attributes).filter(([key]) => absenceOf(connectorConcept, key) === undefined);
  return {
    ...Object.fromEntries(attributes),
    name: nameOf(connector),
    to: ourId(connector.to),
    conduitSelectors: "ignore", // as there: CND-5
    ...(connector.manualStart && { autoStart: false }),
  };
};
const namesOf = (kind: "queue" | "topic", texts: readonly string[]): string[] =>
  texts.map((text) => destinationOf(text)).flatMap((it) => (it.kind === kind ? [it.name] : []));

const consuming = (consumer: RecordedConsumer): Parameters<SimulatedClient["consume"]> => {
  const { dest, prefetch, ack = "auto", delayMs, selector, clientId: clientID = "", durableName: subscriptionName } = consumer;
  const { "consumer.priority": priority = "0", "consumer.prefetchSize": size = prefetch } = optionsOf(dest);
  const [destination = dest] = dest.split("?", 1);
  const acking: Habit = { acks: true, ...(delayMs !== undefined && { delayMs }) };
  // A listener that never acknowledges is pushed on beyond its prefetch; one that doesn't read isn't.
  const holding: Habit = { acks: false, reads: ack === "none", atMost: ack === "none" ? Number.POSITIVE_INFINITY : (prefetch ?? 1_000) };
  const habit = ack === "auto" ? acking : holding;
  const options = {
    priority: Number(priority),
    ...(size !== undefined && { prefetchSize: Number(size) }),
    ...(selector && { selector }),
    ...(subscriptionName !== undefined && { durable: { clientID, subscriptionName } }),
  };
  return [destination, options, habit];
};

/** Through the ingress, as our client does: it makes what is missing. */
const produce = async (net: SimulatedNetwork, step: Produce): Promise<void> => {
  const { broker, dest, id, count, delayMs, ttlMs, persistent = true, variants = [] } = step;
  for (const [index, body] of bodies(id, count).entries()) {
    const { headers = {}, properties = {} } = variants[index % variants.length] ?? {};
    const fields = {
      ...(variants.length > 0 && { ...fieldsOf(headers), properties }),
      ...(ttlMs !== undefined && { expiration: net.now() + ttlMs }),
      ...(!persistent && ({ deliveryMode: "NON_PERSISTENT" } as const)),
    };
    net.send(ourId(broker), dest, [body], Object.keys(fields).length > 0 ? fields : undefined);
    if (delayMs !== undefined) await net.run(delayMs);
  }
};

const fieldsOf = ({ JMSType, JMSPriority, JMSCorrelationID, JMSReplyTo, JMSXGroupID, JMSXGroupSeq }: RecordedHeaders): ProducedFields => ({
  ...(JMSType !== undefined && { type: JMSType }),
  ...(JMSPriority !== undefined && { priority: JMSPriority }),
  ...(JMSCorrelationID !== undefined && { correlationId: JMSCorrelationID }),
  ...(JMSReplyTo !== undefined && { replyTo: JMSReplyTo }),
  ...(JMSXGroupID !== undefined && { groupId: JMSXGroupID }),
  ...(JMSXGroupSeq !== undefined && { groupSequence: JMSXGroupSeq }),
});

const ask = async (net: SimulatedNetwork, broker: string, dest: string): Promise<void> => {
  const { ports, slice } = net.broker(ourId(broker));
  await ports.events.send([{ to: slice.broker, event: { event: "create", destination: dest } }]);
};

/** A private queue belongs to the destination that its consumer consumes. */
const look = async (net: SimulatedNetwork, brokers: readonly string[], opened: readonly Opened[]): Promise<Snapshot> => {
  const states = await Promise.all(
    brokers.map(async (name): Promise<[string, State]> => {
      const id = ourId(name);
      const privates = opened.filter(({ as }) => as.broker === name);
      const depth = (queue: string): number =>
        net.depth(id, `queue://${queue}`) +
        privates
          .filter(({ as }) => as.dest.split("?", 1)[0] === `queue://${queue}`)
          .reduce((sum, { client, consumer }) => sum + net.privateDepth(id, client.connection, consumer), 0);
      const queues = (await net.broker(id).brain.list("destination", "")).map(({ value }) => value.destination);
      const depths = new Map(queues.filter(({ kind }) => kind === "queue").map(({ name: queue }) => [queue, depth(queue)]));
      return [name, { depths, subscriptions: await networkSubscriptions(net, id), durables: await durables(net, id) }];
    }),
  );
  return new Map(states);
};

const durables = async (net: SimulatedNetwork, at: string): Promise<readonly RecordedDurable[]> => {
  const { brain } = net.broker(at);
  const stored = await brain.list("durable", "");
  return Promise.all(
    stored.map(async ({ id, value: { consumer, takenBy } }) => {
      const { clientID, subscriptionName } = consumer.durable;
      const connection = (await brain.read("connection", "", takenBy))?.value;
      return {
        clientId: clientID,
        name: subscriptionName,
        dest: consumer.destination,
        active: connection?.closed === false && connection.consumers.some(({ durable }) => durable && durableId(durable) === id),
      };
    }),
  );
};
type Opened = { readonly as: RecordedConsumer; readonly client: SimulatedClient; readonly consumer: string };
