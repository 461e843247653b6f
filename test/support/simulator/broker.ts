import { cachedLoads } from "../../../aws/cached-loads.ts";
import { cachedViews } from "../../../aws/cached-views.ts";
import { whereaboutsOf } from "../../../aws/whereabouts.ts";
import { untilPassed } from "../../../core/broker/contended.ts";
import { controlBatch } from "../../../core/broker/control/control.ts";
import { decodeEvent } from "../../../core/broker/control/decode-event.ts";
import { tick } from "../../../core/broker/control/tick.ts";
import type { ArrivalDoor } from "../../../core/broker/dispatch/door.ts";
import { drainPass, type Round } from "../../../core/broker/dispatch/drain.ts";
import { intake } from "../../../core/broker/dispatch/intake.ts";
import type { Outcome } from "../../../core/broker/dispatch/outcome.ts";
import type { BrokerItem } from "../../../core/broker/records.ts";
import type { Left } from "../../../core/broker/sweep/left.ts";
import { stackQueues } from "../../../core/broker/sweep/stack-queues.ts";
import { sweep } from "../../../core/broker/sweep/sweep.ts";
import { update } from "../../../core/broker/sweep/update.ts";
import { backOff } from "../../../core/carry/back-off.ts";
import { feedsOf } from "../../../core/config/feeds.ts";
import { hasOrderedIngress } from "../../../core/config/ordered.ts";
import type { BrokerSlice } from "../../../core/config/slice.ts";
import { isFifoName } from "../../../core/destination/fifo.ts";
import type { PeerDemand, RestingCopy } from "../../../core/ports.ts";
import type { DrainedPlace, Plan } from "../../../core/routing/plan.ts";
import { sha256 } from "../hash.ts";
import { memoryAudit } from "../memory/audit.ts";
import type { OpenBrain } from "../memory/brain.ts";
import type { MemoryCloud } from "../memory/cloud.ts";
import { memoryPorts } from "../memory/ports.ts";
import { numbered } from "../numbered.ts";
import { calm, type Disturbance, survived } from "./disturbance.ts";
import { simulatedKey, simulatedVerify } from "./signing.ts";
import { underWeather, type Weather } from "./weather.ts";

interface Stack {
  readonly queues: readonly string[];
  readonly topics: readonly string[];
}

/** As the functions give their records back. */
const againIn = (copies: readonly RestingCopy[], ref: string, contended = false): number =>
  contended ? untilPassed : backOff(copies.find((copy) => copy.ref === ref)?.receiveCount ?? 1);

const longest = 60_000;
const visibility = 6 * longest;
/** A crashed batch comes again while a FIFO target still knows it. */
const fifoVisibility = Math.min(visibility, 240_000);

/** What outlives a deployment besides the tables: its key, and what was seen of it. */
const newLife = (name: string) => ({
  key: simulatedKey(name),
  audit: memoryAudit<Plan>(),
  newAttempt: numbered(name),
  outcomes: [] as Outcome[],
  rounds: [] as Round[],
  problems: [] as string[],
});

/** One simulated broker: the real use cases on memory ports, run step by step. */
export const simulatedBroker = (
  cloud: MemoryCloud,
  slice: BrokerSlice,
  peers: PeerDemand,
  brain: OpenBrain,
  weather: Weather,
  disturbance: Disturbance = calm,
  life = newLife(slice.broker),
) => {
  const { key, audit, newAttempt, outcomes, rounds, problems } = life;
  const where = whereaboutsOf(slice, sha256);
  const ports = underWeather(memoryPorts(cloud, slice, sha256), weather, slice.broker, slice.connectors);
  const item: BrokerItem = { slice, version: 1, keys: [key.publicKey], peerKeys: {} };
  const identity = { self: slice.broker, hash: sha256, signer: key.signer, verifyWith: simulatedVerify };
  const views = disturbance.views(cachedViews(brain, cloud.now), brain, slice.broker); // as stale as on AWS
  const dispatch = {
    ...ports,
    brain,
    identity,
    audit,
    newAttempt,
    longest,
    views,
    loads: cachedLoads(ports.depths, cloud.now),
    counters: brain,
    resting: {
      ...ports.restingQueue,
      receive: async (place: DrainedPlace) => {
        const copies = await ports.restingQueue.receive(place);
        disturbance.received(cloud.queues, where.queueOf(place).arn, copies, "pass");
        return copies;
      },
    },
  };
  const control = { ...ports, identity, brain, counters: brain, table: brain, peers, longest, clock: cloud.now };

  const inbounds = slice.connectors
    .filter(({ to }) => to === slice.broker)
    .flatMap(({ link, fifo }) => (fifo ? [false, true] : [false]).map((lane) => ({ link, arn: where.inbound(link, lane)?.arn ?? "" })));
  const doors: readonly { readonly door: ArrivalDoor; readonly arn: string }[] = [
    { door: { door: "ingress" }, arn: where.own.queueArn(where.own.ingressQueue) },
    ...(hasOrderedIngress(slice) ? [{ door: { door: "ingress" }, arn: where.own.queueArn(where.own.ingressFifoQueue) } as const] : []),
    ...feedsOf(slice).map((fifo) => ({ door: { door: "feed" }, arn: where.own.queueArn(where.own.feedQueue(fifo)) }) as const),
    ...inbounds.map(({ link, arn }) => ({ door: { door: "inbound", link } as const, arn })),
  ];
  const topics = slice.topics.map((name) => where.topicOf({ kind: "topic", name }).arn);
  const queues = [...Object.values(stackQueues(slice, where.own)).flat(), where.own.controlQueue].map(where.own.queueArn);
  const parameter = { ensure: async () => key.publicKey, remove: async () => {} };
  const stack: Stack = { queues, topics };
  const controlArn = where.own.queueArn(where.own.controlQueue);

  /** One for all that an invocation does. */
  const clockFor = (...invocation: Parameters<Disturbance["skew"]>): (() => number) => {
    const skew = disturbance.skew(...invocation);
    return () => cloud.now() + skew;
  };

  const settleBatch = (
    arn: string,
    copies: readonly RestingCopy[],
    results: readonly { readonly ref: string; readonly again?: number }[],
  ) => {
    for (const copy of copies) {
      const { receipt, ref } = copy;
      const again = results.find((result) => result.ref === ref)?.again;
      if (again !== undefined) cloud.queues.changeVisibility(arn, receipt, again);
      else if (disturbance.deletes(copy, "door")) cloud.queues.remove(arn, receipt);
    }
  };

  const runDoor = async ({ door, arn }: (typeof doors)[number]): Promise<boolean> => {
    if (!cloud.queues.depth(arn)?.visible) return false;
    const copies = cloud.queues.receive(arn, disturbance.batchSize(), isFifoName(arn) ? fifoVisibility : visibility) ?? [];
    if (copies.length === 0) return false;
    disturbance.received(cloud.queues, arn, copies, "door");
    const invoke = () =>
      survived(() =>
        intake(disturbance.invocation(dispatch, "batch", copies), door, copies, clockFor("batch", copies)(), disturbance.timeLeft()),
      );
    const handled = await Promise.all(Array.from({ length: disturbance.handlers(copies, slice.broker) }, invoke));
    for (const results of handled) if (results) answerBatch(arn, copies, results);
    if (handled.every((results) => results === undefined)) disturbance.died(cloud.queues, arn, copies);
    return true;
  };

  const answerBatch = (arn: string, copies: readonly RestingCopy[], results: readonly Outcome[]): void => {
    outcomes.push(...results);
    settleBatch(
      arn,
      copies,
      results.map(({ ref, ends }) => ({ ref, ...(ends.is === "again" && { again: ends.seconds }) })),
    );
  };

  const runControl = async (): Promise<boolean> => {
    const copies = cloud.queues.receive(controlArn, disturbance.batchSize(), visibility) ?? [];
    if (copies.length === 0) return false;
    const records = copies.flatMap(({ ref, body, sentAt }) => {
      const event = decodeEvent(body);
      if ("undecodable" in event) problems.push(`${slice.broker}: ${event.undecodable}`);
      return "undecodable" in event ? [] : [{ ref, event, sentAt }];
    });
    const clock = clockFor("control", records);
    const { ports, hasDied } = disturbance.control({ ...control, clock }, records, weather.others);
    const results = await controlBatch(ports, records, clock());
    if (hasDied()) return true; // it comes again when its visibility ends
    settleBatch(
      controlArn,
      copies,
      results.map(({ ref, verdict, contended }) => ({ ref, ...(verdict === "again" && { again: againIn(copies, ref, contended) }) })),
    );
    problems.push(
      ...results
        .filter(({ verdict, why }) => verdict === "again" && !/^Contended|being destroyed$|Rate exceeded$/.test(why ?? ""))
        .map(({ event, why }) => `${slice.broker} ${event}: ${why}`),
    );
    return true;
  };

  const runPasses = async (): Promise<boolean> => {
    const orders = ports.passes.orders.splice(0);
    if (orders.length === 0) return false;
    const fresh = { ...dispatch, views: cachedViews(brain, cloud.now, 0) };
    for (const order of orders) {
      const clock = clockFor("pass", order);
      const round = await survived(() => drainPass(disturbance.invocation(fresh, "pass", order), order, clock, disturbance.timeLeft()));
      if (round) rounds.push(round);
    }
    return true;
  };

  const makeStack = (): void => {
    for (const arn of queues) cloud.queues.create(arn);
    for (const arn of topics) cloud.topics.create(arn);
  };

  return {
    life,
    brain,
    slice,
    where,
    outcomes,
    /** Of its passes. */
    rounds,
    problems,
    ports,
    control,
    views,
    verify: simulatedVerify([key.publicKey]),
    /** What CloudFormation and the deployment's custom resource do. */
    deploy: async (): Promise<void> => {
      makeStack();
      const stored = await brain.read("broker", "", "broker");
      await brain.write("broker", "", "broker", { ...item, peerKeys: stored?.value.peerKeys ?? {} }, stored?.revision ?? 0);
      await ports.events.send([{ to: slice.broker, event: { event: "deployed", version: 1 } }]);
    },
    /** The same for a broker that stands: when the custom resource lets it, what `before` had and this one hasn't goes. */
    update: async (before: Stack, sleep: (ms: number) => Promise<void>, takesOver: () => void): Promise<string | undefined> => {
      makeStack();
      const updating = { ...ports, brain, sleep, depthLag: 60_000, longest, clock: cloud.now, key: parameter };
      const refusal = await update(updating, slice, where.own);
      if (refusal !== undefined) return refusal;
      takesOver();
      await sleep(10_000); // CloudFormation has other things to do
      for (const arn of before.queues.filter((one) => !queues.includes(one))) cloud.queues.delete(arn);
      for (const arn of before.topics.filter((one) => !topics.includes(one))) cloud.topics.delete(arn);
      return undefined;
    },
    stack,
    /** What the custom resource does first of a destroy, on a cloud whose figures lag a minute. */
    sweep: (sleep: (ms: number) => Promise<void>): Promise<readonly Left[]> => {
      const protection = { lift: async () => {} };
      return sweep({ ...ports, brain, key: parameter, protection, clock: cloud.now, sleep, depthLag: 60_000 }, slice, where.own);
    },
    /** What CloudFormation does then; the table goes elsewhere. */
    removeStack: (): void => {
      for (const arn of queues) cloud.queues.delete(arn);
      for (const arn of topics) cloud.topics.delete(arn);
    },
    /** One batch of every door, of control, and the passes ordered meanwhile; false when there was nothing to do. */
    step: async (): Promise<boolean> => {
      const worked: boolean[] = [await runControl()];
      for (const door of doors) worked.push(await runDoor(door));
      worked.push(await runPasses());
      return worked.includes(true);
    },
    tick: () => {
      const clock = clockFor("control", slice);
      return survived(() => tick(disturbance.control({ ...control, clock }, [], weather.others).ports, clock()));
    },
  };
};
export type SimulatedBroker = ReturnType<typeof simulatedBroker>;
