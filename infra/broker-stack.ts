import { Lazy, Stack, Tags } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { feedsOf } from "../core/config/feeds.ts";
import type { Network } from "../core/config/network.ts";
import { hasOrderedIngress } from "../core/config/ordered.ts";
import { type BrokerSlice, type DeclaredConsumer, sliceFor } from "../core/config/slice.ts";
import { isFifoName } from "../core/destination/fifo.ts";
import { admitBridges } from "./admit-bridges.ts";
import { BrokerBridge } from "./broker-bridge.ts";
import { type BrokerStackOptions, refuseTimeout } from "./broker-stack-options.ts";
import { DeclaredQueue, type DeclaredQueueOptions } from "./declared-queue.ts";
import { DeclaredTopic } from "./declared-topic.ts";
import { Deployment } from "./deployment.ts";
import { type DurableSubscription, declaredDurables } from "./durable-subscription.ts";
import { Feed } from "./feed.ts";
import { Functions } from "./functions.ts";
import { House } from "./house.ts";
import { LinkInbound } from "./link-inbound.ts";
import { LinkUndelivered } from "./link-undelivered.ts";
import { type Neighbourhood, neighbourhoodOf } from "./neighbourhood.ts";
import { OrderedHouse } from "./ordered-house.ts";
import { inOrder } from "./slice-order.ts";
import { Tick } from "./tick.ts";
import { WaitingAlarms } from "./waiting-alarms.ts";

export interface BrokerStackProps extends BrokerStackOptions {
  readonly network: Network;
  /** Id of the broker. */
  readonly broker: string;
}

/**
 * One broker of a network: a region's house, the ends of its links that stand here, its declared destinations.
 * It shares nothing with the stacks of its peers but computed names: they deploy and go in any order.
 *
 * @example
 * const us = new BrokerStack(app, "Us", { network, broker: "us" });
 * us.queue("orders.new").grantSend(shop);
 * us.topic("prices").addConsumer(ticker);
 */
export class BrokerStack extends Stack {
  /** Id of the broker. */
  readonly broker: string;
  readonly house: House;
  readonly functions: Functions;
  readonly inbounds: readonly LinkInbound[];
  readonly undelivered: readonly LinkUndelivered[];
  readonly tick: Tick;
  /** JMS bridges whose source is here. */
  readonly bridges: readonly BrokerBridge[];
  /** Those that the configuration declares. */
  readonly durableSubscriptions: readonly DurableSubscription[];
  readonly deployment: Deployment;
  readonly #waiting: WaitingAlarms;
  readonly #neighbourhood: Neighbourhood;
  readonly #timeoutSeconds: number;
  #ordered: OrderedHouse | undefined;
  #feed: Feed | undefined;
  readonly #destinations: Construct;
  readonly #queues = new Map<string, DeclaredQueue>();
  readonly #topics = new Map<string, DeclaredTopic>();
  readonly #consumers: DeclaredConsumer[] = [];

  constructor(
    scope: Construct,
    id: string,
    { network, broker, timeoutSeconds = 60, linkConcurrency, operatorsRoleArn, alarmAfterSeconds, ...stackProps }: BrokerStackProps,
  ) {
    refuseTimeout(broker, timeoutSeconds);
    const slice = sliceFor(network, broker as BrokerSlice["broker"]);
    const neighbourhood = neighbourhoodOf(slice);
    const { place } = neighbourhood.own;
    super(scope, id, {
      description: `Broker ${slice.broker} of the SpanMQ network ${slice.network}`,
      ...stackProps,
      stackName: `spanmq-${slice.network}-${slice.broker}`,
      env: { region: place.region, account: place.account },
    });
    Tags.of(this).add("spanmq:network", slice.network);
    Tags.of(this).add("spanmq:broker", slice.broker);
    this.broker = broker;
    this.#neighbourhood = neighbourhood;
    this.#timeoutSeconds = timeoutSeconds;
    this.#waiting = new WaitingAlarms(alarmAfterSeconds);
    this.house = new House(this, "House", { neighbourhood, timeoutSeconds });
    this.functions = new Functions(this, "Functions", { neighbourhood, house: this.house, timeoutSeconds });
    if (hasOrderedIngress(slice)) this.#orderedHouse();
    if (feedsOf(slice).includes(false)) this.#addFeed();
    const links = new Construct(this, "Links"); // ids by name, so that the order of connectors means nothing
    const { dispatch } = this.functions;
    const inbound = {
      ...{ neighbourhood, dispatch: dispatch.function, timeoutSeconds, operatorsRoleArn },
      maxConcurrency: linkConcurrency,
      deadLetters: this.house.deadLetters,
    };
    this.inbounds = neighbourhood.incoming.map(
      (connector) =>
        new LinkInbound(links, `Inbound-${connector.link}`, {
          ...{ ...inbound, connector },
          orderedDeadLetters: connector.fifo && this.#orderedHouse().deadLetters,
        }),
    );
    this.undelivered = neighbourhood.outgoing.map(
      (connector) => new LinkUndelivered(links, `Undelivered-${connector.link}`, { neighbourhood, connector }),
    );
    this.#destinations = new Construct(this, "Destinations");
    this.tick = new Tick(this, "Tick", { control: this.functions.control.function });
    const bridges = new Construct(this, "JmsBridges");
    this.deployment = this.#deployLast(links, bridges);
    this.#declareAll(slice);
    this.durableSubscriptions = declaredDurables(this.#destinations, neighbourhood);
    this.bridges = this.#bridge(bridges, timeoutSeconds);
    for (const { queue, fifoQueue } of [...this.inbounds, ...this.undelivered]) this.#waiting.watch(queue, fifoQueue);
    for (const { transfer } of this.bridges) this.#waiting.watch(transfer.undelivered);
  }

  /** Those that `alarmAfterSeconds` asks for, by now: a queue that is declared later adds its own. */
  get alarms(): readonly Alarm[] {
    return this.#waiting.all;
  }

  /** The declared queue of this name; declares it if need be. Its options belong to the first call: what stands isn't changed unseen. */
  queue(name: string, options?: DeclaredQueueOptions): DeclaredQueue {
    const known = this.#queues.get(name);
    if (known && options)
      throw new Error(
        `queue ${name} is declared already: take it out of the configuration, or give its options where it is declared first`,
      );
    const declared =
      known ?? new DeclaredQueue(this.#destinations, this.#neighbourhood.own.queue(name), { ...options, ...this.#surroundings(name) });
    if (!known) this.#waiting.watch(declared.queue);
    this.#queues.set(name, declared);
    return declared;
  }

  /** The declared topic of this name; declares it if need be. */
  topic(name: string): DeclaredTopic {
    const declared =
      this.#topics.get(name) ?? new DeclaredTopic(this.#destinations, this.#neighbourhood.own.topic(name), this.#surroundings(name));
    this.#topics.set(name, declared);
    if (!isFifoName(name)) this.#addFeed();
    else if (this.#neighbourhood.outgoing.some(({ fifo }) => fifo)) this.#orderedHouse().addFeed();
    return declared;
  }

  /** Made once the broker may have a topic. */
  #addFeed(): void {
    const [{ own }, { dispatch }, { deadLetters }] = [this.#neighbourhood, this.functions, this.house];
    this.#feed ??= new Feed(this.house, "Feed", { own, dispatch, timeoutSeconds: this.#timeoutSeconds, deadLetters });
  }

  /** Made once a FIFO destination concerns the broker. */
  #orderedHouse(): OrderedHouse {
    const [{ own }, { dispatch }] = [this.#neighbourhood, this.functions];
    this.#ordered ??= new OrderedHouse(this.house, "Ordered", { own, dispatch, timeoutSeconds: this.#timeoutSeconds });
    return this.#ordered;
  }

  #surroundings(name: string) {
    return {
      name,
      own: this.#neighbourhood.own,
      deadLetters: isFifoName(name) ? this.#orderedHouse().deadLetters : this.house.deadLetters,
      declare: (consumer: DeclaredConsumer) => this.#consumers.push(consumer),
    };
  }

  #declareAll({ queues, topics, consumers }: BrokerSlice): void {
    for (const name of queues) this.queue(name);
    for (const name of topics) this.topic(name);
    this.#consumers.push(...consumers);
  }

  #bridge(scope: Construct, timeoutSeconds: number): readonly BrokerBridge[] {
    const neighbourhood = this.#neighbourhood;
    const { slice } = neighbourhood;
    admitBridges(this, neighbourhood);
    const sources = new Construct(this, "JmsBridgeSources");
    sources.node.addDependency(this.deployment); // which makes the key that bridges sign with
    return (slice.jmsBridges ?? [])
      .filter(({ owner }) => owner === slice.broker)
      .map((bridge) => {
        const made = new BrokerBridge(scope, bridge.name, { neighbourhood, house: this.house, bridge, timeoutSeconds });
        const { source } = bridge;
        if (source.broker !== undefined && source.destination.kind === "queue") this.queue(source.destination.name).feeds(timeoutSeconds);
        made.node.addDependency(this.#destinations);
        made.transfer.start(sources, bridge.name);
        return made;
      });
  }

  #deployLast(links: Construct, bridges: Construct): Deployment {
    const slice = Lazy.string({ produce: () => this.toJsonString(this.#sliceAsDeclared()) });
    const after = [this.house, this.functions, links, bridges, this.#destinations, this.tick];
    return new Deployment(this, "Deployment", { handler: this.functions.deployment.function, slice, after });
  }

  /** The configuration with what CDK code declared besides. */
  #sliceAsDeclared(): BrokerSlice {
    return inOrder({
      ...this.#neighbourhood.slice,
      queues: [...this.#queues.keys()],
      topics: [...this.#topics.keys()],
      consumers: this.#consumers,
    });
  }
}
