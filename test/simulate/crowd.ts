import { destinationKey } from "../../core/destination/destination.ts";
import { durableId } from "../../core/destination/durable-queue.ts";
import type { Message } from "../../core/message/message.ts";
import { presenceOf } from "../../core/presence/consumers.ts";
import type { SimulatedClient } from "../support/simulator/client.ts";
import type { SimulatedNetwork } from "../support/simulator/network.ts";
import type { Step } from "./history.ts";
import { kindOf, partsOf } from "./model/names.ts";
import type { Consumer } from "./model/picture.ts";
import type { Properties } from "./model/selectors.ts";
import type { Received } from "./played.ts";

type Consume = Extract<Step, { step: "consume" }>;

/** Seconds, and more. */
const aDeadInvocation = 400;

interface Member {
  /** The last of them is there, or was; a durable subscription has had several. */
  readonly clients: SimulatedClient[];
  readonly consume: Consume;
  /** Over: its durable subscription stands no more. */
  state: "here" | "silent" | "gone" | "over";
  goneAt?: number;
}

/** The consumers of a history, by their names. */
export const crowdOf = (net: SimulatedNetwork) => {
  const members = new Map<string, Member>();
  const change = async (
    who: string,
    from: Member["state"],
    to: Member["state"],
    act: (client: SimulatedClient, member: Member) => unknown,
  ): Promise<void> => {
    const member = members.get(who);
    const client = member?.clients.at(-1);
    if (!client || member?.state !== from) return;
    member.state = to;
    member.goneAt = net.now();
    await act(client, member);
  };
  const connect = async ({ consume, clients }: Member): Promise<void> => {
    const client = net.connect(consume.at);
    clients.push(client);
    await client.consume(consume.destination, optionsOf(consume));
    if (consume.durable) await untilTaken(consume, client);
  };
  /** Whoever subscribes durably goes on when it stands, however long control takes. */
  const untilTaken = async ({ who, at }: Consume, { connection }: SimulatedClient): Promise<void> => {
    const isTaken = async () => (await net.broker(at).brain.read("durable", "", durableId(durableOf(who))))?.value.takenBy === connection;
    for (let seconds = 0; seconds < aDeadInvocation && !(await isTaken()); seconds += 1) await net.run(1_000);
  };
  const comeBack = (who: string) => change(who, "gone", "here", (_, member) => connect(member));
  const isDurable = (who: string): boolean => members.get(who)?.consume.durable === true;
  return {
    come: async (consume: Consume): Promise<void> => {
      if (members.has(consume.who)) return;
      const member: Member = { clients: [], consume, state: "here" };
      members.set(consume.who, member);
      await connect(member);
    },
    leave: (who: string) => change(who, "here", "gone", (client) => client.close()),
    fallSilent: (who: string) => change(who, "here", "silent", (client) => client.goSilent()),
    wake: (who: string) => change(who, "silent", "here", (client) => client.wake()),
    comeBack: async (who: string) => isDurable(who) && comeBack(who),
    unsubscribe: async (who: string) => isDurable(who) && change(who, "gone", "over", (client) => client.unsubscribe(durableOf(who))),
    /** Who unsubscribes asks until it is done: while his leaving isn't known yet, he is refused. */
    insist: async (): Promise<void> => {
      for (const [who, { state, clients }] of members) if (state === "over") await clients.at(-1)?.unsubscribe(durableOf(who));
    },
    /** Whose durable subscription has gathered something takes it. */
    gatherIn: async (): Promise<void> => {
      for (const [who, { consume }] of members) {
        if (!consume.durable) continue;
        await change(who, "silent", "here", (client) => client.wake());
        await comeBack(who);
      }
    },
    connectionOf: (who: string): string | undefined => {
      const member = members.get(who);
      return member?.state === "here" ? member.clients.at(-1)?.connection : undefined;
    },
    present: (): readonly Consumer[] =>
      [...members.values()].filter(({ state, consume }) => state === "here" || (consume.durable && state !== "over")).flatMap(consumersOf),
    received: (): readonly Received[] =>
      [...members].flatMap(
        ([
          who,
          {
            clients,
            consume: { at },
          },
        ]) =>
          clients
            .flatMap(({ received }) => received)
            .map(({ message }) => ({
              who,
              at,
              body: textOf(message),
              destination: destinationKey(message.destination),
              path: message.brokerPath,
              about: aboutOf(message),
            })),
      ),
    whoReads: (queueArn: string): string | undefined =>
      [...members].find(([, { clients, consume }]) => clients.some((client) => ownQueues(net, client, consume).includes(queueArn)))?.[0],
  };
};

const durableOf = (who: string) => ({ clientID: who, subscriptionName: "all" });
const optionsOf = ({ step: _, who, at: _at, destination: _destination, durable, ...options }: Consume) => ({
  ...options,
  ...(durable && { durable: durableOf(who) }),
});

const consumersOf = ({
  state,
  goneAt,
  consume: { who, at, destination, priority = 0, prefetchSize, selector, noLocal, durable },
}: Member): Consumer[] =>
  partsOf(destination).map((key) => ({
    who,
    at,
    key,
    priority,
    isPrivate: prefetchSize !== undefined || selector !== undefined || kindOf(key) === "topic" || /[*>]/.test(key),
    ...(selector !== undefined && { selector }),
    ...(noLocal && { noLocal }),
    ...(durable && { durable, ...(state === "gone" && goneAt !== undefined && { offlineSince: goneAt }) }),
  }));

const textOf = ({ body }: Message): string => (body.type === "text" ? body.text : "");

const aboutOf = ({ properties }: Message): Properties =>
  Object.fromEntries(Object.entries(properties).flatMap(([name, one]) => ("value" in one ? [[name, one.value as string | number]] : [])));

const ownQueues = (net: SimulatedNetwork, { connection, broker }: SimulatedClient, consume: Consume): readonly string[] =>
  presenceOf({ connection, consumers: [{ id: "c1", priority: 0, destination: consume.destination, ...optionsOf(consume) }] }, 0).flatMap(
    ({ ownQueue }) => (ownQueue === undefined ? [] : [net.broker(broker).where.queueOf({ to: "own-queue", queue: ownQueue }).arn]),
  );
