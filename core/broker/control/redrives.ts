import type { NetworkConnector } from "../../config/slice.ts";
import { isHeld, type LinkRecord } from "../../link/link.ts";
import type { DrainedPlace } from "../../routing/plan.ts";
import type { PassOrder } from "../events.ts";
import { holdsSome, orderedShelter, placeKey, restingCounter } from "../resting.ts";
import { nothingSeen, type PassPorts, pacedAfter, startPass } from "./passes.ts";

/**
 * Orders what waits for a link in order to go to it, unless nothing waits, it is stopped, or its breaker is open. Who died between parking and
 * marking leaves what only the depth shows, and so does a table that was restored.
 */
export const orderRedrive = async (
  ports: PassPorts,
  connector: NetworkConnector,
  record: LinkRecord | undefined,
  now: number,
  paced: Pick<PassOrder, "paced"> = {},
): Promise<void> => {
  const { link, fifo } = connector;
  const { breakers = [] } = (await ports.brain.read("broker", "", "broker"))?.value ?? {};
  if (!fifo || isHeld(record, connector) || breakers.includes(link)) return;
  const place = orderedShelter(link);
  const counter = await ports.counters.add(restingCounter(place), 0);
  if ((await holdsSome(ports, place)) || (await ports.depths.visible(place)) > 0)
    await startPass(ports, place, { counter, viewRevision: 0, ...paced }, now);
};

/** The same at a look at one of its shelters, of that which keeps no order when the time of something in it has come. */
export const redriveAtLook = async (ports: PassPorts, place: Shelter, now: number): Promise<void> => {
  const { link, fifo } = place;
  const [broker, record, pass] = await Promise.all([
    ports.brain.read("broker", "", "broker"),
    ports.brain.read("link", "", link),
    ports.brain.read("pass", "", placeKey(place)),
  ]);
  const connector = broker?.value.slice.connectors.find((one) => one.link === link);
  if (!connector) return;
  const paced = pacedAfter(pass?.value.round, now);
  if (fifo) return orderRedrive(ports, connector, record?.value, now, paced);
  if (isHeld(record?.value, connector) || broker?.value.breakers?.includes(link)) return;
  await startPass(ports, place, { ...nothingSeen, ...paced }, now);
};
type Shelter = Extract<DrainedPlace, { readonly to: "undelivered" }>;
