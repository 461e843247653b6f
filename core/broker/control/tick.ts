import type { Brain, Events, TableIdentity } from "../../ports.ts";
import { orphansOf, phaseOf } from "../../presence/connection.ts";
import type { ControlEvent } from "../events.ts";
import type { Identity } from "../identity.ts";
import { dueDiscoveries } from "./discovering.ts";
import { dueLooks } from "./due-looks.ts";
import { durableQueues } from "./durables.ts";
import { takeLease } from "./lease.ts";
import { isRestored } from "./restored.ts";

interface TickPorts {
  readonly identity: Identity;
  readonly brain: Brain;
  readonly events: Events;
  readonly table: TableIdentity;
}

/** A consumer that was closed a moment ago may still stand in a view that dispatch has cached: its queue is cleared later. */
const afterViews = 10;

/**
 * Once a minute: links are probed and compared, connections whose lease ran out are taken a phase further, queues are looked at and
 * topics listed whose time has come, and a table that was restored is taken up as after a deployment. Changes nothing itself, only sends
 * events; overlapping ticks do nothing.
 */
export const tick = async ({ identity, brain, events, table }: TickPorts, now: number): Promise<number> => {
  if (!(await takeLease(brain, "tick", now))) return 0;
  const broker = await brain.read("broker", "", "broker");
  if (!broker || broker.value.closing !== undefined) return 0;
  const { connectors, removedDestinations: removed = [] } = broker.value.slice;
  const links = connectors.filter(({ from }) => from === identity.self);
  const connections = await brain.list("connection", "");
  const views = await brain.list("view", "");
  const passes = await brain.list("pass", "");
  const places = {
    views: views.map(({ value }) => value),
    links,
    removed,
    durableQueues: await durableQueues(brain),
    privateQueues: connections.flatMap(({ value: { ownQueues } }) => ownQueues.filter((own) => own.private).map(({ queue }) => queue)),
  };
  const discovered = await brain.list("discovered", "");
  const looks = [...dueLooks(identity, places, passes, now), ...dueDiscoveries(identity, places.views, discovered, now)];
  const due: ControlEvent[] = [
    ...((await isRestored({ brain, table })) ? [{ event: "deployed", version: broker.value.version } as const] : []),
    ...links.map(({ link }): ControlEvent => ({ event: "probe", link })),
    ...links.map(({ link }): ControlEvent => ({ event: "compare", link })),
    ...connections
      .filter(({ value }) => phaseOf(value, now) !== value.phase || orphansOf(value, now).length > 0)
      .map(({ id }): ControlEvent => ({ event: "expire", connection: id })),
  ];
  const told = due.map((event) => ({ to: identity.self, event, ...(event.event === "expire" && { delaySeconds: afterViews }) }));
  await events.send([...told, ...looks]);
  return told.length + looks.length;
};
