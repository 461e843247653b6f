import * as z from "zod";
import { mapOf } from "./schema.ts";
import { parseJson } from "./text.ts";

const attribute = z.object({ Type: z.string(), Value: z.string() }).transform(({ Type, Value }) => ({ type: Type, value: Value }));
const time = z.iso.datetime().pipe(z.coerce.date()).transform(Number);

const envelopeSchema = z.discriminatedUnion("Type", [
  z.object({
    Type: z.literal("Notification"),
    MessageId: z.string().min(1),
    TopicArn: z.string(),
    Message: z.string(),
    Timestamp: time.optional(),
    MessageAttributes: mapOf(attribute).default({}),
  }),
  z.object({ Type: z.literal("SubscriptionConfirmation"), TopicArn: z.string(), Token: z.string() }),
]);
/** What SNS wraps a message in for a subscription without raw delivery; binary attribute values are base64 there, as everywhere here. */
export type Envelope = z.output<typeof envelopeSchema>;

/** `undefined` for a body that is no envelope. Whether it *counts* as one depends on the queue it came by. */
export const parseEnvelope = (body: string): Envelope | undefined => envelopeSchema.safeParse(parseJson(body)).data;
