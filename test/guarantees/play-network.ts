import { type Destination, destinationKey, destinationOf } from "../../core/destination/destination.ts";
import { isFifoName } from "../../core/destination/fifo.ts";
import type { SimulatedClient } from "../support/simulator/client.ts";
import { calm, type Disturbance } from "../support/simulator/disturbance.ts";
import { nativeSubscriber } from "../support/simulator/native.ts";
import { type SimulatedNetwork, simulate } from "../support/simulator/network.ts";
import { networkOf, type Particulars } from "../support/simulator/topologies.ts";
import { body, deleteFails, delivering, isOurs, returning, shut } from "./doors.ts";
import type { Played } from "./guarantee.ts";
import { guardedRuns } from "./guarded-runs.ts";
import { calmly, type Moment, told } from "./moments.ts";
import type { NetworkScene } from "./scenes.ts";
import { striking } from "./strikes.ts";
import { struckPorts } from "./struck-ports.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
/** Of a day, between two ticks where days go by. */
const quarter = 6 * 60 * minute;

/** Plays one message with what befalls it, until all is quiet. */
export const playNetwork = async (scene: NetworkScene, moment: Moment | undefined): Promise<Played> => {
  const { strikes = [], undeleted, handlers = 1, sentTwice, deliveredTwice, shutFor = 0, days = 0 } = moment ? told(moment) : calmly;
  const absence = (days + (scene.days ?? 0)) * day;
  const strike = striking(strikes);
  const { at, work, target } = scene.aim;
  let armed = false;
  let taken = handlers === 1;
  const disturbance: Disturbance = {
    ...calm,
    invocation: (ports, its) => (ports.identity.self === at && its === work && !scene.end ? struckPorts(ports, target, strike) : ports),
    handlers: (copies, its) => {
      const isTaken = armed && its === at && !scene.end;
      taken ||= isTaken && copies.some(isOurs);
      return isTaken ? handlers : 1;
    },
    received: (queues, arn, [copy], by) => {
      if (!copy || taken || by !== "consumer" || scene.end !== "consumer") return;
      taken = true;
      queues.twin(arn, copy.receipt);
    },
  };
  const net = await simulate(networkOf("a -> b", {}, particularsOf(scene)), { disturbance, ...(absence > 0 && { tickEvery: quarter }) });
  const clients = await consuming(net, scene, scene.consumer);
  await net.run();
  if (scene.isNative) {
    nativeSubscriber(net, "b", scene.destination);
    await net.run(20 * minute);
  }
  if (scene.isAsleep) for (const client of clients) client.pause();
  const door = doorOf(net, scene);
  const kept = undeleted ? deleteFails(net, door, days * day) : () => true;
  const doubled = deliveredTwice ? delivering(net, door) : () => true;
  if (work === "batch" && !scene.end) returning(net, door, strike);
  if (shutFor > 0) shut(net, door, shutFor * minute);
  if (scene.silence) net.hush("a", "b", scene.silence);
  strike.arm();
  armed = true;
  for (let n = sentTwice ? 2 : 1; n > 0; n -= 1) {
    const { send, publish } = isFifoName(scene.destination) ? { send: net.sendInOrder, publish: net.publishInOrder } : net;
    if (scene.isPublished) publish("a", scene.destination, [body]);
    else send("a", scene.destination, [body]);
  }
  const isCut = scene.silence !== undefined && absence > 0;
  await net.run(isCut ? second : minute); // its breaker is open still
  const early = new Set(clients.flatMap(({ received }) => received));
  if (isCut) net.cut("a", "b");
  net.hush("a", "b");
  if (isCut) {
    await net.run(absence);
    net.heal("a", "b");
  } else if (scene.days) await net.run(scene.days * day);
  for (const client of clients) client.resume();
  clients.push(...(await consuming(net, scene, scene.late)));
  for (let n = 0; scene.meanwhile && n < 60 && !strike.haveFallen(); n += 1) await net.run(second);
  clients.push(...(await consuming(net, scene, scene.meanwhile)));
  await net.run(30 * minute + (absence > 0 ? absence + quarter : 0));

  const consumed = clients.flatMap(({ received, connection }) =>
    received.map((one) => ({ id: one.message.id, at: early.has(one) ? 0 : absence, place: placeOf(one.message.destination, connection) })),
  );
  const places = [...Map.groupBy(scene.isBuried ? lettersOf(net) : consumed, ({ place }) => place).values()];
  const isComplete = places.length === scene.destination.split(",").length * (scene.subscribers ?? 1);
  return {
    struck: strike.haveFallen() && kept() && doubled() && taken,
    calls: [...strike.calls],
    delivered: isComplete ? Math.max(...places.map((its) => its.length)) : 0,
    behindOnce: isComplete ? Math.max(...(await Promise.all(places.map(guardedRuns)))) : 0,
    left: standing(net),
  };
};

/** Consumers share a queue; of a topic each gets its own. */
const placeOf = (destination: Destination, connection: string): string =>
  destination.kind === "queue" ? destinationKey(destination) : `${destinationKey(destination)} for ${connection}`;

const noAudit = ["queue://>", "topic://>"].map((destination) => ({ destination, enableAudit: false }));
const particularsOf = ({ particulars = {}, isUnaudited }: NetworkScene): Particulars => {
  const of = (id: string) => ({ ...particulars.brokers?.[id], ...(isUnaudited && { destinationPolicies: noAudit }) });
  return { ...particulars, brokers: { a: of("a"), b: of("b") } };
};

const lettersOf = (net: SimulatedNetwork) =>
  net
    .deadLetters("a")
    .map(({ attributes }) => ({ id: JSON.parse(attributes.SpanMQ?.value ?? "{}").id as string, at: 0, place: "dead letters" }));

const consuming = async (net: SimulatedNetwork, { destination, subscribers = 1 }: NetworkScene, consumer: NetworkScene["consumer"]) => {
  const clients: SimulatedClient[] = [];
  for (let n = 0; consumer && n < subscribers; n += 1) {
    const client = net.connect(consumer.at);
    await client.consume(destination, consumer.options);
    clients.push(client);
  }
  return clients;
};

/** Where what the scene is about is taken from. */
const doorOf = (net: SimulatedNetwork, { aim: { at, work, target }, destination, end, silence, isPublished }: NetworkScene): string => {
  const inLane = net.cloud.queues.arns().filter((arn) => isFifoName(arn) === isFifoName(destination));
  const named = (part: string) => inLane.find((arn) => arn.includes(part)) ?? "";
  if (end !== "consumer" && work === "batch") return at === "b" ? named("-b-in-") : named(isPublished ? "-a-sys-feed" : "-a-sys-ingress");
  if (target === "own-queue") return named("-a-s-");
  return silence ? named("undelivered") : net.broker(at).where.queueOf({ to: "queue", destination: destinationOf(destination) }).arn;
};

const standing = (net: SimulatedNetwork): string[] =>
  net.cloud.queues
    .arns()
    .filter((arn) => !arn.endsWith("sys-control") && !arn.endsWith("sys-dead-letters") && !arn.endsWith(":audit"))
    .flatMap((arn) =>
      net.cloud.queues
        .peek(arn)
        .filter(isOurs)
        .map(({ body: text }) => text),
    );
