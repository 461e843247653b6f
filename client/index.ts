export { connect } from "./connect.ts";
export type { Connection, Consumer } from "./connection.ts";
export type { Handler } from "./consumer.ts";
export { type ConnectOptions, type ConsumeOptions, type ReadyOptions, SpanMqError } from "./options.ts";
export type { PropertyInput, SendOptions } from "./outgoing.ts";
export type { ReceivedMessage } from "./received.ts";
