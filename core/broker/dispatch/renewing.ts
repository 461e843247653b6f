import type { RestingCopy } from "../../ports.ts";
import type { Plan, RestingPlace } from "../../routing/plan.ts";
import type { PassOrder } from "../events.ts";
import { carryOut, type Delivered } from "./carrying.ts";
import type { IntakePorts } from "./intake.ts";
import { type Judged, keyIn } from "./moving.ts";
import type { Planned } from "./planned.ts";

/** Of our own queues: SQS gives up on a copy that was received more often. */
const ownLimit = 1_000;

/**
 * Is this copy sent anew instead of given back? It is at half of the receives that its queue allows, or older than a carry-over lets it
 * get. What the pass has sent anew itself isn't.
 */
export const isWorn = (
  { receiveCount, sentAt }: Pick<RestingCopy, "receiveCount" | "sentAt">,
  { receiveLimit = ownLimit, olderThan = 0 }: Pick<PassOrder, "receiveLimit" | "olderThan">,
  startedAt: number,
): boolean => sentAt < startedAt && (2 * receiveCount >= receiveLimit || sentAt < olderThan);

/**
 * Sends copies to the place they are in: for SQS they are new then. A message counts its copies; what can't be decoded, or has no room for
 * a header, is sent as it came. Answers whose old copy may go.
 * Crash window: sent and not deleted, the old copy is dropped by the next pass; a consumer may have taken both.
 */
export const renew = async (
  ports: IntakePorts,
  { place }: PassOrder,
  worn: readonly Judged[],
  now: number,
): Promise<readonly RestingCopy[]> => {
  if (worn.length === 0) return [];
  const isPassedOn = place.to === "undelivered" || place.to === "own-queue";
  const ends = isPassedOn ? new Map<string, End>() : await carryAnew(ports, place, worn, now);
  const endOf = ({ ref }: RestingCopy): End => ends.get(ref) ?? "goes as it came";
  const copies = worn.map(({ copy }) => copy);
  const plain = copies.filter((copy) => endOf(copy) === "goes as it came");
  const answers = await ports.targets.handOver(plain.map(({ body, attributes }) => ({ target: place, wire: { body, attributes } })));
  return [
    ...copies.filter((copy) => endOf(copy) === "sent anew"),
    ...plain.filter((_copy, index) => answers[index]?.answer === "accepted"),
  ];
};

type End = "sent anew" | "stays" | "goes as it came";

const carryAnew = async (
  ports: IntakePorts,
  place: RestingPlace,
  worn: readonly Judged[],
  now: number,
): Promise<ReadonlyMap<string, End>> => {
  const { destinationPolicies: policies = [], connectors } = (await ports.views.broker()).slice;
  const delivered = await carryOut(
    ports,
    { keyOf: keyIn(place), onRefusal: "keep", accepted: async () => {}, policies, connectors },
    worn.flatMap(({ planned }) => (planned ? [intoPlace(place, planned)] : [])),
    now,
  );
  return new Map(delivered.map((one) => [one.load.ref, endOf(one)]));
};

const intoPlace = (place: RestingPlace, { message, ...bound }: Planned): Planned => {
  const { destination } = message;
  const plan: Plan =
    place.to === "queue"
      ? { plan: "rest", destination: place.destination, reason: "sent-anew" }
      : { plan: "hand-over", target: place, destination, reason: "sent-anew" };
  return { ...bound, message: { ...message, copies: message.copies + 1 }, plan };
};

const endOf = (delivered: Delivered): End => {
  if (delivered.end === "carried" || delivered.end === "duplicate") return "sent anew";
  const isTooLarge = delivered.end === "again" && delivered.answer.answer === "refused" && delivered.answer.cause === "too-large";
  return isTooLarge ? "goes as it came" : "stays";
};
