import { type DestinationKey, destinationKey, destinationOf } from "../../destination/destination.ts";
import { writeJudged } from "../contended.ts";
import type { BrokerItem } from "../records.ts";
import type { Touched } from "./control.ts";
import type { ControlPorts } from "./judge.ts";
import { forgetPeer } from "./learning.ts";

/** A configuration was deployed: what it declares is here, its links are probed at once, everything is judged by the new rules. */
export const takeUp = async (ports: ControlPorts, { slice }: BrokerItem, now: number): Promise<Touched> => {
  const declared = declaredKeys(slice);
  for (const key of declared) {
    const stored = await ports.brain.read("destination", "", key);
    if (stored?.value.owner === "declared") continue;
    await writeJudged(
      ports.brain,
      "destination",
      "",
      key,
      { destination: destinationOf(key), owner: "declared", madeAt: now },
      stored?.revision ?? 0,
    );
  }
  const links = slice.connectors.filter(({ from }) => from === slice.broker);
  for (const { link } of links) await forgetPeer(ports.brain, link);
  await ports.events.send(links.map(({ link }) => ({ to: slice.broker, event: { event: "probe", link } })));
  const here = await ports.brain.list("destination", "");
  const statics = links
    .flatMap(({ staticallyIncludedDestinations }) => staticallyIncludedDestinations)
    .map((text) => destinationKey(destinationOf(text)));
  return { destinations: [...new Set([...declared, ...statics, ...here.map(({ id }) => id)])] };
};

/** A declared consumer declares its destination. */
const declaredKeys = ({ queues, topics, consumers }: BrokerItem["slice"]): DestinationKey[] => [
  ...queues.map((name) => destinationKey({ kind: "queue", name })),
  ...topics.map((name) => destinationKey({ kind: "topic", name })),
  ...consumers.map(({ destination }) => destinationKey(destinationOf(destination))),
];
