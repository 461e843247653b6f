import type { Arrival } from "../../message/arrival.ts";
import { deadLetterOf } from "../../message/dead-letter.ts";
import type { TransportRecord } from "../../message/message.ts";
import type { HandOverAnswer, Targets } from "../../ports.ts";
import { type Door, doorName } from "./door.ts";

/** Records that can't be decoded go to the dead letters as they came, with their reason; their neighbours don't notice. */
export const buryUndecodable = async (
  targets: Targets,
  door: Door,
  records: readonly TransportRecord[],
  arrivals: readonly Arrival[],
): Promise<ReadonlyMap<string, HandOverAnswer>> => {
  const wires = new Map(records.map((record) => [record.ref, record]));
  const buried = arrivals.flatMap((arrival) => {
    const record = wires.get(arrival.ref);
    return arrival.arrival === "undecodable" && record ? [{ ref: arrival.ref, why: arrival.why, record }] : [];
  });
  if (buried.length === 0) return new Map();
  const answers = await targets.handOver(
    buried.map(({ record, why }) => ({
      target: { to: "dead-letters" },
      wire: deadLetterOf(record, { reason: "undecodable", why, destination: doorName(door) }),
    })),
  );
  return new Map(buried.map(({ ref }, index) => [ref, answers[index] as HandOverAnswer]));
};
