export { connect } from "./connect.ts";
export type { Connection, Consumer } from "./connection.ts";
export type { Handler } from "./consumer.ts";
export { type Identified, type Once, type OnceOptions, type OnceStore, once } from "./once.ts";
export { type OnceInLambdaOptions, onceInLambda } from "./once-in-lambda.ts";
export { type DynamoStoreOptions, dynamoStore, memoryStore } from "./once-stores.ts";
export {
  type BrokerOptions,
  type BrowseOptions,
  type ConnectOptions,
  type ConsumeOptions,
  type ReadyOptions,
  SpanMqError,
  type SubscribeOptions,
} from "./options.ts";
export type { PropertyInput, SendOptions } from "./outgoing.ts";
export type { ReceivedMessage } from "./received.ts";
