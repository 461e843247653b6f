import * as z from "zod";
import { partsOf } from "../../destination/composite.ts";
import { destinationOf, parseDestination } from "../../destination/destination.ts";
import { longestId } from "../../destination/durable-queue.ts";
import { helloSchema } from "../../message/probe.ts";
import { parseJson } from "../../message/text.ts";
import type { ControlEvent } from "../events.ts";

const text = z.string().min(1);
const key = text.refine((named) => !("fault" in parseDestination(named)), "names no destination");
const count = z.number().int().nonnegative();
const destination = z.strictObject({ kind: z.enum(["queue", "topic", "temp-queue", "temp-topic"]), name: text });
const place = z.union([
  z.strictObject({ to: z.literal("queue"), destination }),
  z.strictObject({ to: z.enum(["private", "own-queue"]), queue: text }),
  z.strictObject({ to: z.literal("undelivered"), link: text, fifo: z.literal(true).optional() }),
]);
const durable = z.strictObject({ clientID: text.max(longestId), subscriptionName: text.max(longestId) });
const consumer = z
  .strictObject({
    id: text,
    destination: key,
    priority: z.number().int().min(-128).max(127),
    prefetchSize: z.number().int().min(1).optional(),
    selector: text.optional(),
    noLocal: z.boolean().optional(),
    durable: durable.optional(),
  })
  .refine(
    (spec) => !spec.durable || partsOf(destinationOf(spec.destination)).every(({ kind }) => kind === "topic"),
    "only topics have durable subscriptions",
  );

const controlEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("connection"),
    state: z.object({
      connection: text.regex(/^(?!durable$)[^./|#]+$/),
      counter: count,
      consumers: z.array(consumer),
      closed: z.boolean(),
    }),
  }),
  z.object({ event: z.literal("unsubscribe"), durable, madeAt: count }),
  z.object({ event: z.literal("hint"), from: text, destination: key, version: count }),
  z.object({ event: z.literal("hello"), hello: helloSchema }),
  z.object({ event: z.literal("hello-answer"), link: text, counter: count, digest: text }),
  z.object({ event: z.literal("closing"), from: text, counter: count }),
  z.object({ event: z.literal("link-failed"), link: text, at: count }),
  z.object({ event: z.enum(["judge", "create", "discover"]), destination: key }),
  z.object({ event: z.literal("look"), place, due: count.optional() }),
  z.object({ event: z.literal("expire"), connection: text }),
  z.object({ event: z.literal("probe"), link: text, heard: z.literal(true).optional(), opened: count.optional() }),
  z.object({ event: z.literal("compare"), link: text }),
  z.object({
    event: z.literal("pass-result"),
    result: z.object({
      place,
      pass: text,
      counter: count,
      viewRevision: count,
      receiveLimit: count.optional(),
      olderThan: count.optional(),
      moved: count,
      renewed: count.default(0),
      left: count,
      complete: z.boolean(),
      failed: z.literal(true).optional(),
      refused: z.literal(true).optional(),
      spent: z.literal(true).optional(),
      dueAt: count.optional(),
      behind: z.array(text).optional(),
    }),
  }),
  z.object({ event: z.literal("effective"), link: text, destination: key, version: count }),
  z.object({ event: z.literal("command"), link: text, run: z.enum(["start", "stop"]), counter: count }),
  z.object({ event: z.literal("deployed"), version: count }),
]);

/** Reads a control event's JSON; `undecodable` says what is wrong with it, without quoting it. Unknown further keys of a newer version are left out. */
export const decodeEvent = (body: string): ControlEvent | { readonly undecodable: string } => {
  const json = parseJson(body);
  if (json === undefined) return { undecodable: "no JSON" };
  const parsed = controlEvent.safeParse(json);
  return parsed.success ? (parsed.data as ControlEvent) : { undecodable: z.prettifyError(parsed.error) };
};
