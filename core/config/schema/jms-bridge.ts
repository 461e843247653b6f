import * as z from "zod";
import { destinationOf } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { Concept } from "./concept.ts";
import { destinationText, judgeDestination } from "./destination-text.ts";
import { flag, text, whole } from "./values.ts";

const name = "must be a name of letters, digits, '_' and '-', at most 40";
const arn = "must be the ARN of an SQS queue or an SNS topic, such as arn:aws:sqs:eu-west-1:123456789012:orders";
const plainArn = "must be the ARN of a queue or topic that is not FIFO: JMS bridges don't take FIFO yet";
const batchTime = "must be -1, or milliseconds from 1 to 300000";
const modes = ["AT_MOST_ONCE", "DUPLICATES_OK", "ONCE_AND_ONLY_ONCE"] as const;
const identity = "must be a name of letters, digits, '.', '_' and '-', at most 40";

const judgeEnd = (text: string): string | undefined =>
  judgeDestination(text) ??
  (isFifo(destinationOf(text)) ? "must be a destination that is not FIFO: JMS bridges don't take FIFO yet" : undefined);

/** One end of a JMS bridge: a destination of a broker, or anybody's queue or topic. */
const bridgeEndSchema = z.strictObject(
  {
    broker: z.string("must be the id of a broker").optional().describe("With `destination`: a destination of this broker."),
    destination: destinationText(judgeEnd).optional().describe("The stack makes it."),
    arn: text(arn, /^arn:aws[a-z-]*:(sqs|sns):[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]+(\.fifo)?$/)
      .regex(/(?<!\.fifo)$/, plainArn)
      .optional()
      .describe("In place of the two: the ARN of any queue or topic."),
  },
  "must be an object: { broker, destination } or { arn }",
);

/** A JMS bridge as it is written; keys are the manual's, defaults WildFly's, where Artemis has none. */
export const jmsBridgeSchema = z.strictObject(
  {
    name: text(name, /^[A-Za-z0-9_-]{1,40}$/).describe("Scope of its claims and of the message ids that it gives."),
    source: bridgeEndSchema.describe("Where it takes messages. It runs here."),
    target: bridgeEndSchema.describe("Where it hands them over."),
    qualityOfServiceMode: z
      .enum(modes, `must be one of ${modes.join(", ")}`)
      .describe("AT_MOST_ONCE may lose, DUPLICATES_OK may double, ONCE_AND_ONLY_ONCE does neither but in the windows that the docs name."),
    subscriptionName: text(identity, /^[A-Za-z0-9._-]{1,40}$/)
      .optional()
      .describe("With `clientID` the name of the durable subscription to a topic of a broker. Default: the bridge's own."),
    clientID: text(identity, /^[A-Za-z0-9._-]{1,40}$/)
      .optional()
      .describe("See `subscriptionName`."),
    maxBatchSize: whole("must be a whole number from 1 to 10000", 1, 10_000).default(1).describe("Messages carried together, at most."),
    maxBatchTime: z
      .union([z.literal(-1), whole(batchTime, 1, 300_000)], batchTime)
      .default(-1)
      .describe("Milliseconds for which a batch is gathered, in whole seconds; -1: as long as Lambda does, 300 seconds."),
    failureRetryInterval: whole("must be milliseconds from 1 to 900000", 1, 900_000)
      .default(5_000)
      .describe("Between two looks whether the target is back, in whole seconds."),
    maxRetries: z
      .literal(-1, "must be -1, for ever: SpanMQ doesn't give a target up yet")
      .default(-1)
      .describe("-1: it is never given up."),
    addMessageIDInHeader: flag().default(false).describe("List the message ids of all hops in the property AMQ_BRIDGE_MSG_ID_LIST."),
  },
  "must be an object: a JMS bridge",
);

export const bridgeEndConcept: Concept = {
  called: "an end of a JMS bridge",
  keys: Object.keys(bridgeEndSchema.shape),
  absent: { "meaningless-on-aws": ["connectionFactory", "connection-factory", "user", "password", "context"] },
};

export const jmsBridgeConcept: Concept = {
  called: "a JMS bridge",
  keys: Object.keys(jmsBridgeSchema.shape),
  absent: {
    planned: ["selector", "removed", "started", "paused"],
    "meaningless-on-aws": [
      "sourceConnectionFactoryFactory",
      "targetConnectionFactoryFactory",
      "sourceDestinationFactory",
      "targetDestinationFactory",
      "sourceUsername",
      "sourcePassword",
      "targetUsername",
      "targetPassword",
      "transactionManager",
      "mbeanServer",
      "objectName",
      "failoverTimeout",
      "useMaskedPassword",
      "passwordCodec",
      "bridgeName",
      "module",
    ],
  },
};
