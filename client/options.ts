import { inspect } from "node:util";

/** Which broker is meant. Everything else is computed from these names, or read from the broker's table. */
export interface BrokerOptions {
  /** The network's id, as in its configuration. */
  readonly network: string;
  /** The broker's id. */
  readonly broker: string;
  /** The broker's region. @default AWS_REGION */
  readonly region?: string;
  /** The SDK's environment variables. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ConnectOptions extends BrokerOptions {
  /** Whose durable subscriptions this connection takes: the same one each time, at most 100 characters. @default none: it has none */
  readonly clientID?: string;
  /** Told when something went wrong that the connection goes on from: a failed poll, a handler that threw, a queue that is gone. @default a warning on stderr */
  readonly onProblem?: (problem: Error) => void;
}

export interface ConsumeOptions {
  /** Higher ones are served first, over all brokers. @default 0 */
  readonly priority?: number;
  /** Messages in hand at once. Giving it makes a queue consumer's own private queue, with an exact share. @default 10, on the shared queue */
  readonly prefetchSize?: number;
  /** A JMS selector, such as `region = 'eu' AND amount > 1000`: it gets only what this takes, from a private queue of its own. @default - everything */
  readonly selector?: string;
}

export interface SubscribeOptions extends Pick<ConsumeOptions, "priority"> {
  /** A JMS selector, such as `region = 'eu' AND amount > 1000`: it gets only what this takes. @default - everything */
  readonly selector?: string;
  /** What this connection publishes itself isn't for it. @default false */
  readonly noLocal?: boolean;
}

export interface BrowseOptions {
  /** A JMS selector: only what it takes is answered. @default - everything */
  readonly selector?: string;
  /** So many messages of each queue are looked at, in tens. 1–1000. @default 100 */
  readonly most?: number;
}

export interface ReadyOptions {
  /** Milliseconds. @default 60000 */
  readonly timeout?: number;
}

/** Something the caller can mend: the message says what, where and how. */
export class SpanMqError extends Error {
  override readonly name = "SpanMqError";
}

/** Where problems go that nobody asked to be told of. Node prints no cause of a warning, only its detail. */
export const warn = ({ name, message, cause }: Error): void =>
  process.emitWarning(message, { type: name, ...(cause !== undefined && { detail: inspect(cause) }) });
