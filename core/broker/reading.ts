import type { PassRecord, Reading } from "./records.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** SQS keeps a message for 14 days. A copy that was in flight during one carry-over is caught by the next, half a week later. */
const week = 7 * day;

export const newPassRecord: PassRecord = { pass: "", leaseUntil: 0 };

/** Notes how a place was seen. One that is empty has nothing to carry over. */
export const withReading = (
  { carryOver, ...record }: PassRecord,
  { all, receiveLimit }: { readonly all: number; readonly receiveLimit?: number },
  now: number,
): PassRecord => {
  const isEmpty = all === 0;
  const since = record.reading?.isEmpty === isEmpty ? record.reading.since : now;
  const reading: Reading = { at: now, isEmpty, since, ...(receiveLimit !== undefined && { receiveLimit }) };
  return { ...record, reading, ...(carryOver && !isEmpty && { carryOver }) };
};

/**
 * When to look at a place again. One that somebody else would take from: at each tick; while it is empty, after as long again as it (and
 * its view) has been as it is, ten minutes at most. Any other only grows old: each hour.
 */
export const nextLookAt = (
  { reading, unfinished, dueAt }: PassRecord,
  place: { readonly isNetworked: boolean; readonly changedAt: number },
): number => {
  if (!reading) return 0;
  const calm = reading.isEmpty ? reading.at - Math.max(reading.since, place.changedAt) : 0;
  const backOff = calm < minute ? 0 : Math.min(calm, 10 * minute);
  const pause = place.isNetworked || unfinished ? backOff : 60 * minute;
  return Math.min(reading.at + pause, dueAt ?? Number.POSITIVE_INFINITY);
};

/**
 * A place that wasn't seen empty for a week, or that was carried over half a week ago and still wasn't: what is older than half a week is
 * sent anew. Answers the moment before which that is; a carry-over under way goes on with its own.
 */
export const carryOverBefore = ({ reading, carryOver }: PassRecord, now: number): number | undefined => {
  if (!reading || reading.isEmpty) return undefined;
  if (carryOver && !carryOver.done) return carryOver.olderThan;
  return now - (carryOver?.olderThan ?? reading.since) >= week ? now - week / 2 : undefined;
};
