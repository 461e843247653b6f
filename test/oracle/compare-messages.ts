import { destinationKey } from "../../core/destination/destination.ts";
import { ourId, type Received } from "./play.ts";
import type { RecordedMessage } from "./recording.ts";

/** A field in which a message differs from the recorded one. */
interface Differing {
  readonly field: string;
  /** Ours is a lower number. */
  readonly fewer: boolean;
  readonly what: string;
}

/** That id, time and expiration stay as they were sent `test/core/network/fields.test.ts` compares. */
export const differingFields = ({ properties, brokerPath, ...rest }: RecordedMessage, ours: Received): readonly Differing[] => {
  const theirs: Readonly<Record<string, unknown>> = { ...rest, brokerPath: brokerPath.map(ourId), ...propertiesOf(properties) };
  const own: Readonly<Record<string, unknown>> = { ...fieldsOf(ours), ...propertiesOf(ours.message.properties) };
  return Object.keys({ ...own, ...propertiesOf(properties) })
    .filter((field) => !isVarying(theirs[field]) && JSON.stringify(own[field]) !== JSON.stringify(theirs[field]))
    .map((field) => ({
      field,
      fewer: Number(own[field]) < Number(theirs[field]),
      what: `${field} ${JSON.stringify(own[field])}, recorded ${JSON.stringify(theirs[field])}`,
    }));
};

/** By name, the type apart. */
const propertiesOf = (properties: Readonly<Record<string, { readonly type: string; readonly value?: unknown }>>) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type, value }]) => [
      [`property ${name}`, value],
      [`type of property ${name}`, type],
    ]),
  );

/** Such as a time, which differed between runs. */
const isVarying = (value: unknown): boolean => /^("\[.*\]"|\{"anyOf":.*)$/.test(JSON.stringify(value) ?? "");

const fieldsOf = ({ message, deliveryCount }: Received) => ({
  body: message.body.type === "text" ? message.body.text : "",
  JMSExpirationIsZero: message.expiration === 0,
  JMSDestination: destinationKey(message.destination),
  JMSOriginalDestination: message.originalDestination ? destinationKey(message.originalDestination) : null,
  JMSReplyTo: message.replyTo ?? null,
  JMSCorrelationID: message.correlationId ?? null,
  JMSType: message.type ?? null,
  JMSPriority: message.priority,
  JMSDeliveryMode: message.deliveryMode,
  JMSRedelivered: deliveryCount > 1,
  JMSXDeliveryCount: deliveryCount,
  JMSXGroupID: message.groupId ?? null,
  JMSXGroupSeq: message.groupSequence ?? 0,
  brokerPath: message.brokerPath,
});
