import { destinationKey, destinationOf } from "../../core/destination/destination.ts";
import { isFifoName } from "../../core/destination/fifo.ts";
import type { SimulatedClient } from "../support/simulator/client.ts";
import { calm, type Disturbance } from "../support/simulator/disturbance.ts";
import { nativeSubscriber } from "../support/simulator/native.ts";
import { type SimulatedNetwork, simulate } from "../support/simulator/network.ts";
import { networkOf } from "../support/simulator/topologies.ts";
import type { Played } from "./guarantee.ts";
import { guardedRuns } from "./guarded-runs.ts";
import { type Moment, told } from "./moments.ts";
import type { NetworkScene } from "./scenes.ts";
import { striking } from "./strikes.ts";
import { struckPorts } from "./struck-ports.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const body = "m";

/** Plays one message with what befalls it, until all is quiet. */
export const playNetwork = async (scene: NetworkScene, moment: Moment): Promise<Played> => {
  const { strikes = [], undeleted, handlers = 1, sentTwice, deliveredTwice, shutFor = 0, days = 0 } = told(moment);
  const absence = days * day;
  const strike = striking(strikes);
  const { at, work, target } = scene.aim;
  let armed = false;
  const disturbance: Disturbance = {
    ...calm,
    invocation: (ports, its) => (ports.identity.self === at && its === work ? struckPorts(ports, target, strike) : ports),
    handlers: (_copies, its) => (armed && its === at ? handlers : 1),
  };
  const net = await simulate(networkOf("a -> b", {}, scene.particulars), { disturbance, ...(absence > 0 && { tickEvery: 360 * minute }) });
  const clients = [...(await consuming(net, scene, scene.consumer))];
  await net.run();
  if (scene.isNative) {
    nativeSubscriber(net, "b", scene.destination);
    await net.run(20 * minute);
  }
  const door = doorOf(net, scene);
  const kept = undeleted ? deleteFails(net, door, absence) : () => true;
  const doubled = deliveredTwice ? delivering(net, door) : () => true;
  if (shutFor > 0) shut(net, door, shutFor * minute);
  if (scene.silence) net.hush("a", "b", scene.silence);
  strike.arm();
  armed = true;
  for (let n = sentTwice ? 2 : 1; n > 0; n -= 1) {
    const { send, publish } = isFifoName(scene.destination) ? { send: net.sendInOrder, publish: net.publishInOrder } : net;
    if (scene.isPublished) publish("a", scene.destination, [body]);
    else send("a", scene.destination, [body]);
  }
  await net.run(minute);
  const early = new Set(clients.flatMap(({ received }) => received));
  net.hush("a", "b");
  if (scene.silence && absence > 0) {
    net.cut("a", "b");
    await net.run(absence);
    net.heal("a", "b");
  }
  clients.push(...(await consuming(net, scene, scene.late)));
  for (let n = 0; scene.meanwhile && n < 60 && !strike.haveFallen(); n += 1) await net.run(second);
  clients.push(...(await consuming(net, scene, scene.meanwhile)));
  await net.run(30 * minute + absence);

  const consumed = clients.flatMap(({ received }) =>
    received.map((one) => ({ id: one.message.id, at: early.has(one) ? 0 : absence, place: destinationKey(one.message.destination) })),
  );
  const places = [...Map.groupBy(scene.isBuried ? lettersOf(net) : consumed, ({ place }) => place).values()];
  const isComplete = places.length === scene.destination.split(",").length;
  return {
    struck: strike.haveFallen() && kept() && doubled(),
    delivered: isComplete ? Math.max(...places.map((its) => its.length)) : 0,
    behindOnce: isComplete ? Math.max(...(await Promise.all(places.map(guardedRuns)))) : 0,
    left: standing(net),
  };
};

const lettersOf = (net: SimulatedNetwork) =>
  net
    .deadLetters("a")
    .map(({ attributes }) => ({ id: JSON.parse(attributes.SpanMQ?.value ?? "{}").id as string, at: 0, place: "dead letters" }));

const consuming = async (net: SimulatedNetwork, { destination }: NetworkScene, consumer: NetworkScene["consumer"]) => {
  if (!consumer) return [];
  const client = net.connect(consumer.at);
  await client.consume(destination, consumer.options);
  return [client] satisfies SimulatedClient[];
};

const doorOf = (net: SimulatedNetwork, { aim: { at, work }, destination, isConsumers }: NetworkScene): string => {
  if (isConsumers || work === "pass") return net.broker(at).where.queueOf({ to: "queue", destination: destinationOf(destination) }).arn;
  const inLane = net.cloud.queues.arns().filter((arn) => isFifoName(arn) === isFifoName(destination));
  return inLane.find((arn) => arn.includes(at === "a" ? "-a-sys-ingress" : "-b-in-")) ?? "";
};

/** The first delete of the message at its door doesn't hold. */
const deleteFails = (net: SimulatedNetwork, door: string, absence: number): (() => boolean) => {
  const { queues } = net.cloud;
  const { remove, receive } = queues;
  const receipts = new Set<string>();
  let failed = false;
  Object.assign(queues, {
    receive: (...asked: Parameters<typeof receive>) => {
      const copies = receive(...asked);
      for (const copy of copies ?? []) if (asked[0] === door && isOurs(copy)) receipts.add(copy.receipt);
      return copies;
    },
    remove: (arn: string, receipt: string) => {
      if (failed || arn !== door || !receipts.has(receipt)) return remove(arn, receipt);
      failed = true;
      if (absence > 0) queues.changeVisibility(arn, receipt, absence / 1_000);
    },
  });
  return () => failed;
};

/** Once the message was taken from the door, nobody takes anything there for so long. */
const shut = (net: SimulatedNetwork, door: string, ms: number): void => {
  const { queues } = net.cloud;
  const { receive } = queues;
  let until: number | undefined;
  Object.assign(queues, {
    receive: (...asked: Parameters<typeof receive>) => {
      if (asked[0] !== door) return receive(...asked);
      if (until !== undefined && net.now() < until) return [];
      const copies = receive(...asked);
      if (copies?.some(isOurs)) until ??= net.now() + ms;
      return copies;
    },
  });
};

/** What is sent to the door is there twice, once. */
const delivering = (net: SimulatedNetwork, door: string): (() => boolean) => {
  const { queues } = net.cloud;
  const { send } = queues;
  let doubled = false;
  Object.assign(queues, {
    send: (...sent: Parameters<typeof send>) => {
      if (!doubled && sent[0] === door && isOurs(sent[1])) {
        doubled = true;
        send(...sent);
      }
      return send(...sent);
    },
  });
  return () => doubled;
};

const isOurs = ({ body: text }: { readonly body: string }): boolean => text === body || text.includes(`"Message":"${body}"`);

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
