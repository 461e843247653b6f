import { destinationKey } from "../../core/destination/destination.ts";
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

interface Member {
  readonly client: SimulatedClient;
  readonly consume: Consume;
  state: "here" | "silent" | "gone";
}

/** The consumers of a history, by their names. */
export const crowdOf = (net: SimulatedNetwork) => {
  const members = new Map<string, Member>();
  const change = async (
    who: string,
    from: Member["state"],
    to: Member["state"],
    act: (client: SimulatedClient) => unknown,
  ): Promise<void> => {
    const member = members.get(who);
    if (member?.state !== from) return;
    member.state = to;
    await act(member.client);
  };
  return {
    come: async (consume: Consume): Promise<void> => {
      const { step: _, who, at, destination, ...options } = consume;
      if (members.has(who)) return;
      const client = net.connect(at);
      members.set(who, { client, consume, state: "here" });
      await client.consume(destination, options);
    },
    leave: (who: string) => change(who, "here", "gone", (client) => client.close()),
    fallSilent: (who: string) => change(who, "here", "silent", (client) => client.goSilent()),
    wake: (who: string) => change(who, "silent", "here", (client) => client.wake()),
    present: (): readonly Consumer[] => [...members.values()].filter(({ state }) => state === "here").flatMap(consumersOf),
    received: (): readonly Received[] =>
      [...members].flatMap(
        ([
          who,
          {
            client,
            consume: { at },
          },
        ]) =>
          client.received.map(({ message }) => ({
            who,
            at,
            body: textOf(message),
            destination: destinationKey(message.destination),
            path: message.brokerPath,
            about: aboutOf(message),
          })),
      ),
    whoReads: (queueArn: string): string | undefined =>
      [...members].find(([, { client, consume }]) => ownQueues(net, client, consume).includes(queueArn))?.[0],
  };
};

const consumersOf = ({ consume: { who, at, destination, priority = 0, prefetchSize, selector } }: Member): Consumer[] =>
  partsOf(destination).map((key) => ({
    who,
    at,
    key,
    priority,
    isPrivate: prefetchSize !== undefined || selector !== undefined || kindOf(key) === "topic" || /[*>]/.test(key),
    ...(selector !== undefined && { selector }),
  }));

const textOf = ({ body }: Message): string => (body.type === "text" ? body.text : "");

const aboutOf = ({ properties }: Message): Properties =>
  Object.fromEntries(Object.entries(properties).flatMap(([name, one]) => ("value" in one ? [[name, one.value as string | number]] : [])));

const ownQueues = (
  net: SimulatedNetwork,
  { connection, broker }: SimulatedClient,
  { destination, priority = 0 }: Consume,
): readonly string[] =>
  presenceOf({ connection, consumers: [{ id: "c1", destination, priority }] }, 0).flatMap(({ ownQueue }) =>
    ownQueue === undefined ? [] : [net.broker(broker).where.queueOf({ to: "own-queue", queue: ownQueue }).arn],
  );
